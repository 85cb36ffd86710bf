package dev.fallow.adapters.notify;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Reads a request and then does with the connection what no proper web server would. */
final class RawSite implements AutoCloseable {

  /** What is done after the request was read. */
  interface Deed {
    void on(Socket client) throws Exception;
  }

  private final ServerSocket server;

  RawSite(Deed deed) {
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(() -> serve(deed));
  }

  /** Writes these bytes as the answer and closes. */
  static RawSite answering(String raw) {
    return new RawSite(
        client -> client.getOutputStream().write(raw.getBytes(StandardCharsets.ISO_8859_1)));
  }

  /** Closes with a reset. */
  static RawSite resetting() {
    return new RawSite(client -> client.setSoLinger(true, 0));
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  private void serve(Deed deed) {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> answer(client, deed));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void answer(Socket client, Deed deed) {
    try (client) {
      readRequest(client.getInputStream());
      deed.on(client);
    } catch (Exception theOtherSideIsGone) {
      // Which is what many of these tests are about.
    }
  }

  private static void readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int c = in.read();
      if (c < 0) {
        return;
      }
      head.append((char) c);
    }
    for (String line : head.toString().split("\r\n")) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        in.readNBytes(Integer.parseInt(line.substring(15).strip()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
