package dev.fallow.adapters.notify;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that tunnels to one place whatever it is asked for, and remembers who was asked for. */
final class ConnectProxy implements AutoCloseable {

  private final ServerSocket server;
  private final int targetPort;
  private final String answer;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  ConnectProxy(int targetPort, String answer) {
    this.targetPort = targetPort;
    this.answer = answer;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::serve);
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  List<String> asked() {
    return asked;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> tunnel(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void tunnel(Socket client) {
    try (client;
        Socket target = new Socket(InetAddress.getLoopbackAddress(), targetPort)) {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) client.getInputStream().read());
      }
      asked.add(head.toString().lines().findFirst().orElse(""));
      client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
      Thread back = Thread.ofVirtual().start(() -> copy(target, client));
      copy(client, target);
      back.join();
    } catch (IOException | InterruptedException over) {
      // The test has what it wanted.
    }
  }

  private static void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException over) {
      // One side hung up.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
