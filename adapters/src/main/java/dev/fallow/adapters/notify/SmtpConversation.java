package dev.fallow.adapters.notify;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One connection to a mail server. It has to be over within the network's time, however slowly the
 * server drips: then the socket is closed underneath, which wakes whoever reads or writes.
 */
final class SmtpConversation implements AutoCloseable {

  /** The server answered, and not with what was hoped for. */
  static final class Unwelcome extends IOException {
    private final String sentence;
    private final boolean permanent;

    Unwelcome(String sentence, boolean permanent) {
      super(sentence);
      this.sentence = sentence;
      this.permanent = permanent;
    }

    String sentence() {
      return sentence;
    }

    boolean permanent() {
      return permanent;
    }
  }

  private record Reply(int code, List<String> lines) {}

  private static final int LONGEST_LINE = 2000;
  private static final int MOST_LINES = 100;

  private final SmtpServer server;
  private final Network network;
  private final SSLContext tls;
  private final ScheduledFuture<?> alarm;
  private volatile boolean late;
  private volatile Socket socket = new Socket();
  private InputStream in = InputStream.nullInputStream();
  private OutputStream out = OutputStream.nullOutputStream();

  SmtpConversation(SmtpServer server, Network network, SSLContext tls) {
    this.server = server;
    this.network = network;
    this.tls = tls;
    this.alarm =
        ForkJoinPool.commonPool()
            .schedule(this::expire, network.wholeTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Connects, encrypts and signs in. */
  void begin() throws IOException {
    inTime(() -> {
      socket.connect(
          new InetSocketAddress(
              NameLookup.of(server.host(), network.connectTimeout()), server.port()),
          (int) network.connectTimeout().toMillis());
      take(socket);
      if (server.tls() == SmtpServer.Tls.IMPLICIT) {
        encrypt();
      }
      expect(reply(), 2, "this connection");
      List<String> offers = hello();
      if (server.tls() == SmtpServer.Tls.STARTTLS) {
        if (!offers.contains("STARTTLS")) {
          throw new Unwelcome(
              "the mail server does not offer STARTTLS and gets no mail without it; check its port,"
                  + " or use implicit TLS",
              true);
        }
        send("STARTTLS");
        expect(reply(), 2, "STARTTLS");
        // What somebody slipped in before the encryption must not be taken for what comes after.
        inTurn();
        encrypt();
        offers = hello();
      }
      signIn(offers);
    });
  }

  private List<String> hello() throws IOException {
    send("EHLO " + server.domain());
    Reply reply = expect(reply(), 2, "EHLO");
    return reply.lines().stream().skip(1).map(line -> line.toUpperCase(Locale.ROOT)).toList();
  }

  private void signIn(List<String> offers) throws IOException {
    if (server.credentials().isEmpty()) {
      return;
    }
    if (!(socket instanceof SSLSocket) && !Hosts.isLoopback(server.host())) {
      throw new Unwelcome("a password is not sent to a mail server without TLS", true);
    }
    SmtpServer.Credentials credentials = server.credentials().get();
    List<String> ways =
        offers.stream()
            .filter(line -> line.startsWith("AUTH ") || line.startsWith("AUTH="))
            .flatMap(line -> List.of(line.substring(5).split(" ")).stream())
            .toList();
    if (ways.contains("PLAIN")) {
      send(
          "AUTH PLAIN "
              + base64("\0" + credentials.user() + "\0" + credentials.password().reveal()));
    } else if (ways.contains("LOGIN")) {
      send("AUTH LOGIN");
      expect(reply(), 3, "AUTH LOGIN");
      send(base64(credentials.user()));
      expect(reply(), 3, "the user");
      send(base64(credentials.password().reveal()));
    } else {
      throw new Unwelcome(
          "the mail server offers neither AUTH PLAIN nor AUTH LOGIN; check its port and TLS", true);
    }
    Reply reply = reply();
    if (reply.code() / 100 == 5) {
      throw new Unwelcome(
          "the mail server does not accept the user and password (code "
              + reply.code()
              + "); correct them",
          true);
    }
    expect(reply, 2, "the user and password");
  }

  /**
   * Sends a command and waits until the server takes it.
   *
   * @param what is refused otherwise
   */
  void command(String line, String what) throws IOException {
    inTime(() -> {
      send(line);
      expect(reply(), 2, what);
    });
  }

  /** Sends the text. Returns only if the server waited for it, and then said 250. */
  void text(String text) throws IOException {
    inTime(() -> {
      send("DATA");
      exactly(354, reply(), "a message");
      inTurn();
      StringBuilder stuffed = new StringBuilder(text.length() + 64);
      for (String line : text.split("\r\n", -1)) {
        // A line of one dot would end the text, so a dot at the beginning is doubled.
        stuffed.append(line.startsWith(".") ? "." : "").append(line).append("\r\n");
      }
      out.write(stuffed.append(".\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      out.flush();
      exactly(250, reply(), "the text of the message");
    });
  }

  /** Polite, and of no consequence. */
  void quit() {
    try {
      out.write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    } catch (IOException gone) {
      // The message has been taken; how the connection ends does not matter.
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private void inTime(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException broken) {
      throw late ? new SocketTimeoutException() : broken;
    }
    if (late) {
      throw new SocketTimeoutException();
    }
  }

  private void take(Socket connected) throws IOException {
    in = new BufferedInputStream(connected.getInputStream());
    out = connected.getOutputStream();
  }

  private void encrypt() throws IOException {
    SSLSocket encrypted =
        (SSLSocket) tls.getSocketFactory().createSocket(socket, server.host(), server.port(), true);
    SSLParameters parameters = encrypted.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    encrypted.setSSLParameters(parameters);
    encrypted.startHandshake();
    socket = encrypted;
    take(encrypted);
  }

  private void send(String line) throws IOException {
    if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0) {
      throw new Unwelcome("a line break in an address or a user is not sent", true);
    }
    inTurn();
    out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /** The words of the server are not repeated: some repeat what they were sent. */
  private static Reply expect(Reply reply, int hundreds, String what) throws Unwelcome {
    if (reply.code() / 100 == hundreds) {
      return reply;
    }
    throw new Unwelcome(
        "the mail server does not take " + what + " (code " + reply.code() + ")",
        reply.code() / 100 == 5);
  }

  private static void exactly(int code, Reply reply, String what) throws Unwelcome {
    expect(reply, code / 100, what);
    if (reply.code() != code) {
      throw new Unwelcome(
          "the mail server said " + reply.code() + " and not " + code + " to " + what, false);
    }
  }

  /** An answer that came before its question would be taken for that of the next one. */
  private void inTurn() throws IOException {
    if (in.available() > 0) {
      throw new Unwelcome("the mail server speaks out of turn", false);
    }
  }

  private Reply reply() throws IOException {
    List<String> lines = new ArrayList<>();
    while (lines.size() < MOST_LINES) {
      String line = line();
      if (!line.matches("[2-5][0-9]{2}([ -].*)?")
          || (!lines.isEmpty() && !line.startsWith(lines.getFirst().substring(0, 3)))) {
        throw new Unwelcome("what answers does not speak as a mail server does", false);
      }
      lines.add(line);
      if (line.length() == 3 || line.charAt(3) == ' ') {
        return new Reply(
            Integer.parseInt(line, 0, 3, 10),
            lines.stream().map(one -> one.length() > 4 ? one.substring(4) : "").toList());
      }
    }
    throw new Unwelcome("the mail server answers without an end", false);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended");
      }
      if (line.length() >= LONGEST_LINE) {
        throw new Unwelcome("the mail server answers without an end", false);
      }
      line.append((char) c);
    }
    int end = line.length() - 1;
    return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private void expire() {
    late = true;
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyBroken) {
      // It is over either way.
    }
  }

  @Override
  public void close() {
    alarm.cancel(false);
    close(socket);
  }
}
