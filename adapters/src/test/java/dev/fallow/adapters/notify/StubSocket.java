package dev.fallow.adapters.notify;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The other end of WebSockets: says what a test wants, and hears what comes back. */
final class StubSocket implements AutoCloseable {

  /** One open connection. */
  final class Line {
    private final Socket socket;

    private Line(Socket socket) {
      this.socket = socket;
    }

    void say(String text) throws IOException {
      frame(1, text.getBytes(StandardCharsets.UTF_8));
    }

    void ping() throws IOException {
      frame(9, new byte[0]);
    }

    void hangUp() throws IOException {
      socket.close();
    }

    private void frame(int kind, byte[] data) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.write(0x80 | kind);
      if (data.length < 126) {
        bytes.write(data.length);
      } else {
        bytes.write(126);
        bytes.write(data.length >> 8);
        bytes.write(data.length);
      }
      bytes.write(data);
      OutputStream out = socket.getOutputStream();
      out.write(bytes.toByteArray());
      out.flush();
    }

    private void listen() {
      try {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
          int kind = in.readUnsignedByte() & 0x0f;
          int length = in.readUnsignedByte() & 0x7f;
          length = length == 126 ? in.readUnsignedShort() : length;
          byte[] mask = in.readNBytes(4);
          byte[] data = in.readNBytes(length);
          for (int i = 0; i < data.length; i++) {
            data[i] ^= mask[i % 4];
          }
          heard.add(
              switch (kind) {
                case 1 -> new String(data, StandardCharsets.UTF_8);
                case 8 -> "(close)";
                case 10 -> "(pong)";
                default -> "(other)";
              });
        }
      } catch (IOException over) {
        heard.add("(gone)");
      }
    }
  }

  private final ServerSocket server;
  private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  StubSocket() {
    try {
      server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::serve);
  }

  String url() {
    return "ws://127.0.0.1:" + server.getLocalPort() + "/";
  }

  /** The next connection. */
  Line line() throws InterruptedException {
    return lines.take();
  }

  /** What is heard next. */
  String heard() throws InterruptedException {
    return heard.take();
  }

  int waiting() {
    return lines.size();
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> welcome(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void welcome(Socket socket) {
    try {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) socket.getInputStream().read());
      }
      String key =
          head.toString()
              .lines()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:"))
              .findFirst()
              .orElseThrow()
              .substring(18)
              .strip();
      byte[] digest =
          MessageDigest.getInstance("SHA-1")
              .digest(
                  (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8));
      String answer =
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Accept: "
              + Base64.getEncoder().encodeToString(digest)
              + "\r\n\r\n";
      socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
      Line line = new Line(socket);
      lines.add(line);
      line.listen();
    } catch (Exception over) {
      // The test is over, or does not want this connection.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
