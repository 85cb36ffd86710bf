package dev.fallow.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that sends whatever it is told to. */
final class RawClient implements AutoCloseable {

  private final Socket socket;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(8_000);
    socket.setTcpNoDelay(true);
  }

  /** Sends a text, every character a byte, and answers all that comes until the connection ends. */
  static String exchange(int port, String request) throws IOException {
    try (RawClient client = new RawClient(port)) {
      return client.send(request).rest();
    }
  }

  RawClient send(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /** Until the connection ends, politely or not. */
  String rest() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    try {
      for (int b = in.read(); b >= 0; b = in.read()) {
        all.write(b);
      }
    } catch (SocketException reset) {
      // The server closed with something of ours unread; what it said before counts.
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /** One whole answer; the connection stays. */
  String answer() throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        return head.toString();
      }
      head.append((char) b);
    }
    int at = head.toString().toLowerCase(Locale.ROOT).indexOf("content-length:");
    if (at < 0) {
      return head.toString();
    }
    int length = Integer.parseInt(head.substring(at + 15, head.indexOf("\r\n", at)).strip());
    return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
