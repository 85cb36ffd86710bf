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
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A small mail server with real TLS. What it says to each command is up to the test: an answer to
 * the word {@code CONNECT}, {@code EHLO}, {@code DATA}, {@code TEXT} and so on, or the empty word
 * to hang up without one.
 */
final class StubMail implements AutoCloseable {

  static final String OFFERS = "250-stub\r\n250-STARTTLS\r\n250-AUTH PLAIN LOGIN\r\n250 8BITMIME";

  private final ServerSocket server;
  private final @Nullable SSLContext tls;
  private final boolean implicit;
  private final UnaryOperator<String> answers;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final List<String> mails = new CopyOnWriteArrayList<>();

  StubMail(@Nullable SSLContext tls, boolean implicit, UnaryOperator<String> answers) {
    this.tls = tls;
    this.implicit = implicit;
    this.answers = answers;
    try {
      server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::serve);
  }

  /** What a server says that takes everything. */
  static String willing(String word) {
    return switch (word) {
      case "CONNECT", "STARTTLS" -> "220 ready";
      case "EHLO" -> OFFERS;
      case "DATA" -> "354 go on";
      case "AUTH" -> "235 welcome";
      case "TEXT" -> "250 queued";
      case "QUIT" -> "221 bye";
      default -> "250 fine";
    };
  }

  int port() {
    return server.getLocalPort();
  }

  /** The commands, with {@code (tls)} before those that came encrypted. */
  List<String> said() {
    return said;
  }

  /** The texts as they came over the wire, still dot-stuffed. */
  List<String> mails() {
    return mails;
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Thread.ofVirtual().start(() -> converse(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void converse(Socket plain) {
    try (plain) {
      Socket client = implicit ? encrypted(plain) : plain;
      answer(client, "CONNECT");
      while (true) {
        String line = line(client.getInputStream());
        said.add((client instanceof SSLSocket ? "(tls)" : "") + line);
        String word = line.split("[ :]", 2)[0].toUpperCase(Locale.ROOT);
        String reply = answer(client, word);
        if (word.equals("STARTTLS") && reply.startsWith("220")) {
          client = encrypted(client);
        }
        if (word.equals("DATA") && reply.startsWith("354")) {
          mails.add(text(client.getInputStream()));
          answer(client, "TEXT");
        }
        if (word.equals("QUIT")) {
          return;
        }
      }
    } catch (IOException over) {
      // One of the two has hung up.
    }
  }

  private Socket encrypted(Socket socket) throws IOException {
    if (tls == null) {
      throw new IOException("no key");
    }
    SSLSocket encrypted =
        (SSLSocket) tls.getSocketFactory().createSocket(socket, null, socket.getPort(), true);
    encrypted.setUseClientMode(false);
    encrypted.startHandshake();
    return encrypted;
  }

  private String answer(Socket client, String word) throws IOException {
    String reply = answers.apply(word);
    if (reply.isEmpty()) {
      throw new IOException("hanging up");
    }
    OutputStream out = client.getOutputStream();
    out.write((reply + "\r\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
    return reply;
  }

  private static String text(InputStream in) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line = line(in); !line.equals("."); line = line(in)) {
      all.append(line).append("\r\n");
    }
    return all.toString();
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("gone");
      }
      line.append((char) c);
    }
    return line.toString().stripTrailing();
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
