package dev.fallow.rig.fault;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** One connection of a client: request after request is passed on, or hit by a fault. */
final class Relay {
  private static final int CHUNK = 16 * 1024;

  private final FaultProxy proxy;
  private final Socket client;
  private volatile boolean busy;
  private volatile @Nullable Socket upstream;
  private @Nullable CompletableFuture<Integer> nextByte;

  Relay(FaultProxy proxy, Socket client) {
    this.proxy = proxy;
    this.client = client;
  }

  /** The connection ends here, for a reason of this class's own making. */
  private static final class Cut extends IOException {
    private static final long serialVersionUID = 1;

    Cut(String why) {
      super(why);
    }
  }

  /** Whether a request is under way. */
  boolean isBusy() {
    return busy;
  }

  void run() {
    try (Socket open = client) {
      open.setTcpNoDelay(true);
      Optional<ActiveFault> fault = proxy.hitting();
      if (fault.isPresent()) {
        if (fault.get().fault() instanceof ProxyFault.BlackHole) {
          fault.get().awaitHeal();
        }
        throw new Cut("before anything was said");
      }
      Socket speaking = secured(open, proxy.tls());
      InputStream in = new BufferedInputStream(speaking.getInputStream());
      OutputStream out = new BufferedOutputStream(speaking.getOutputStream());
      boolean more = true;
      while (more) {
        more = exchange(in, out);
        busy = false;
      }
    } catch (IOException e) {
      reset();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reset();
    }
  }

  private static Socket secured(Socket plain, @Nullable SSLContext tls) throws IOException {
    if (tls == null) {
      return plain;
    }
    Socket secured =
        tls.getSocketFactory().createSocket(plain, InputStream.nullInputStream(), true);
    if (secured instanceof SSLSocket socket) {
      socket.setUseClientMode(false);
      socket.startHandshake();
    }
    return secured;
  }

  /** Ends the connection by a reset, and what was asked of the server on its behalf. */
  void reset() {
    hangUp(upstream);
    try {
      client.setSoLinger(true, 0);
      client.close();
    } catch (IOException e) {
      // It was closed already.
    }
  }

  private static void hangUp(@Nullable Socket socket) {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // It was closed already.
    }
  }

  /** One request and its answer; false when the client has no more. */
  private boolean exchange(InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    int first = nextByte == null ? in.read() : nextByte.join();
    nextByte = null;
    if (first < 0) {
      return false;
    }
    busy = true;
    InputStream all =
        new SequenceInputStream(new ByteArrayInputStream(new byte[] {(byte) first}), in);
    HttpHead request = withoutUpgradeToHttp2(HttpHead.read(all));
    if (request.says("Expect", "100-continue")) {
      send(out, "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      request = request.without("Expect");
    }
    byte[] body = HttpBody.ofRequest(request, in).readAllBytes();
    Optional<ActiveFault> hit = proxy.hitting(request);
    if (hit.isEmpty()) {
      return passOn(request, body, in, out);
    }
    switch (hit.get().fault()) {
      case ProxyFault.Refuse refuse -> throw new Cut("refused");
      case ProxyFault.BlackHole hole -> {
        hit.get().awaitHeal();
        throw new Cut("out of a black hole");
      }
      case ProxyFault.Delay delay -> {
        hit.get().awaitHeal(delay.by());
        return passOn(request, body, in, out);
      }
      case ProxyFault.Answer answer -> send(out, Answers.refusal(answer.status()));
      case ProxyFault.Garbage garbage -> send(out, noise(garbage));
      case ProxyFault.LoseReply lost -> {
        try (Socket server = ask(request, body)) {
          answer(request, server).readAllBytes();
        }
        throw new Cut("the reply was lost");
      }
      case ProxyFault.ResetMidBody reset -> {
        try (Socket server = ask(request, body)) {
          InputStream from = new BufferedInputStream(server.getInputStream());
          HttpHead head = HttpHead.read(from);
          byte[] part =
              beginning(HttpBody.ofAnswer(head, request.method(), from), reset.afterBytes());
          // A length that will never be reached: no client takes this for the whole.
          out.write(ofLength(head, part.length + CHUNK).bytes());
          send(out, part);
        }
        throw new Cut("reset within the body");
      }
      case ProxyFault.Truncate truncate -> {
        try (Socket server = ask(request, body)) {
          InputStream from = new BufferedInputStream(server.getInputStream());
          HttpHead head = HttpHead.read(from);
          byte[] part =
              beginning(HttpBody.ofAnswer(head, request.method(), from), truncate.afterBytes());
          out.write(ofLength(head, part.length).bytes());
          send(out, part);
        }
      }
    }
    return true;
  }

  private boolean passOn(HttpHead request, byte[] body, InputStream in, OutputStream out)
      throws IOException, InterruptedException {
    try (Socket server = ask(request, body)) {
      InputStream from = new BufferedInputStream(server.getInputStream());
      HttpHead head = HttpHead.read(from);
      if (head.status() == 101) {
        tunnel(request, head, server, from, in, out);
        return false;
      }
      HttpBody answer = HttpBody.ofAnswer(head, request.method(), from);
      swallowed(request);
      boolean chunked = !answer.hasLength();
      HttpHead shown = head.without("Connection");
      out.write((chunked ? shown.with("Transfer-Encoding", "chunked") : shown).bytes());
      out.flush();
      if (chunked) {
        watchForTheClientsEnd(in, server);
      }
      byte[] buffer = new byte[CHUNK];
      for (int count = answer.read(buffer); count >= 0; count = answer.read(buffer)) {
        swallowed(request);
        if (chunked) {
          HttpBody.writeChunk(out, buffer, count);
        } else {
          out.write(buffer, 0, count);
        }
        out.flush();
      }
      if (chunked) {
        HttpBody.writeLastChunk(out);
        out.flush();
      }
      return true;
    }
  }

  /**
   * An answer without an end, such as a watch, has to end when the client goes. Whatever the client
   * says instead is the beginning of its next request.
   */
  private void watchForTheClientsEnd(InputStream in, Socket server) {
    CompletableFuture<Integer> next = new CompletableFuture<>();
    nextByte = next;
    proxy
        .threads()
        .execute(() -> {
          int first = -1;
          try {
            first = in.read();
          } catch (IOException e) {
            // The same as the end.
          }
          if (first < 0) {
            hangUp(server);
          }
          next.complete(first);
        });
  }

  /** Web sockets: bytes in both directions until one side ends. */
  private void tunnel(
      HttpHead request,
      HttpHead answer,
      Socket server,
      InputStream from,
      InputStream in,
      OutputStream out)
      throws IOException, InterruptedException {
    send(out, answer.bytes());
    proxy
        .threads()
        .execute(() -> {
          try {
            pump(request, in, server.getOutputStream());
          } catch (IOException e) {
            // The other direction ends with it.
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          hangUp(server);
        });
    pump(request, from, out);
    throw new Cut("the tunnel has ended");
  }

  private void pump(HttpHead request, InputStream from, OutputStream to)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[CHUNK];
    for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
      swallowed(request);
      to.write(buffer, 0, count);
      to.flush();
    }
  }

  /** Falls into a black hole, if there is one. */
  private void swallowed(HttpHead request) throws IOException, InterruptedException {
    Optional<ActiveFault> hole = proxy.swallowing(request);
    if (hole.isPresent()) {
      hole.get().awaitHeal();
      throw new Cut("out of a black hole");
    }
  }

  private Socket ask(HttpHead request, byte[] body) throws IOException {
    Socket server = proxy.dial();
    upstream = server;
    try {
      HttpHead head =
          request.says("Connection", "upgrade") ? request : request.with("Connection", "close");
      if (request.header("Transfer-Encoding").isPresent()) {
        head = ofLength(head, body.length);
      }
      OutputStream to = new BufferedOutputStream(server.getOutputStream());
      to.write(head.bytes());
      send(to, body);
      return server;
    } catch (IOException e) {
      hangUp(server);
      throw e;
    }
  }

  private static HttpBody answer(HttpHead request, Socket server) throws IOException {
    InputStream from = new BufferedInputStream(server.getInputStream());
    return HttpBody.ofAnswer(HttpHead.read(from), request.method(), from);
  }

  /** At most so many bytes, and always less than all of them. */
  private static byte[] beginning(HttpBody body, int count) throws IOException {
    byte[] bytes = body.readNBytes(count);
    boolean all = bytes.length < count || body.read() < 0;
    return all ? Arrays.copyOf(bytes, bytes.length / 2) : bytes;
  }

  private static byte[] noise(ProxyFault.Garbage garbage) {
    byte[] bytes = new byte[garbage.bytes()];
    new Random(garbage.seed()).nextBytes(bytes);
    return Answers.good(bytes);
  }

  private static HttpHead ofLength(HttpHead head, int length) {
    return head.without("Transfer-Encoding")
        .without("Connection")
        .with("Content-Length", Integer.toString(length));
  }

  /** Some clients offer a protocol that this proxy does not speak. */
  private static HttpHead withoutUpgradeToHttp2(HttpHead request) {
    return request.says("Upgrade", "h2c")
        ? request.without("Upgrade").without("HTTP2-Settings").without("Connection")
        : request;
  }

  private static void send(OutputStream out, byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }
}
