package dev.fallow.rig.fault;

import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of an HTTP server on the loopback interface and passes everything on, until a
 * fault is switched on.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.inFrontOf(rig)) {
 *   // point the program at rig.kubeconfigFor("alice", proxy.url())
 *   ActiveFault fault = proxy.start(new LoseReply(), Scope.of("PATCH", "/deployments/").first(1));
 *   ...
 *   fault.heal();
 *   assertThat(fault.effects()).isPositive();
 * }
 * }</pre>
 *
 * <p>It speaks HTTP/1.1 to both sides and ends TLS on its own, so that it knows what it breaks.
 * Each request has a connection of its own to the server: a server that was restarted is found
 * again without a failure that no fault has caused.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BACKLOG = 1_000;

  private final ServerSocket listener;
  private final InetSocketAddress server;
  private final @Nullable SSLContext tls;
  private final List<ActiveFault> faults = new CopyOnWriteArrayList<>();
  private final Set<Relay> relays = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private FaultProxy(InetSocketAddress server, @Nullable SSLContext tls) {
    this.server = server;
    this.tls = tls;
    try {
      this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new RigException("no port for a proxy", e);
    }
    threads.execute(this::accept);
  }

  /** In front of the API server; clients trust the rig's authority as they do without it. */
  public static FaultProxy inFrontOf(Rig rig) {
    int port = rig.process(Part.API_SERVER).port();
    return new FaultProxy(onLoopback(port), ProxyTls.of(rig.certificates()));
  }

  /** In front of a server without TLS, such as Prometheus. */
  public static FaultProxy inFrontOf(URI plainServer) {
    return new FaultProxy(onLoopback(plainServer.getPort()), null);
  }

  private static InetSocketAddress onLoopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** What clients are to use in the place of the server's address. */
  public URI url() {
    return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + listener.getLocalPort());
  }

  /** Switches a fault on. Where several would hit a request, the one started first does. */
  public ActiveFault start(ProxyFault fault, Scope scope) {
    ActiveFault active = new ActiveFault(fault, scope, faults);
    faults.add(active);
    if (scope.isEverything() && fault instanceof ProxyFault.Refuse) {
      // What is idle now is hit with its next request: only then does it count.
      for (Relay relay : relays) {
        if (relay.isBusy()) {
          active.count();
          relay.reset();
        }
      }
    }
    return active;
  }

  /** Switches off whatever is on. */
  public void heal() {
    faults.forEach(ActiveFault::heal);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Relay relay = new Relay(this, listener.accept());
        relays.add(relay);
        threads.execute(() -> {
          try {
            relay.run();
          } finally {
            relays.remove(relay);
          }
        });
      } catch (IOException e) {
        // Closed, or the client was gone before it was let in.
      }
    }
  }

  @Nullable SSLContext tls() {
    return tls;
  }

  ExecutorService threads() {
    return threads;
  }

  /** A new connection to the server. */
  Socket dial() throws IOException {
    Socket plain = new Socket();
    plain.connect(server);
    plain.setTcpNoDelay(true);
    return tls == null
        ? plain
        : tls.getSocketFactory().createSocket(plain, "127.0.0.1", server.getPort(), true);
  }

  /** The fault that hits a connection before it has said anything. */
  Optional<ActiveFault> hitting() {
    return faults.stream()
        .filter(fault -> fault.scope().isEverything() && fault.fault().isOfConnections())
        .filter(fault -> fault.hits("", ""))
        .findFirst();
  }

  /** The fault that hits this request. */
  Optional<ActiveFault> hitting(HttpHead request) {
    return faults.stream()
        .filter(fault -> fault.hits(request.method(), request.path()))
        .findFirst();
  }

  /** The black hole that what belongs to this request now falls into. */
  Optional<ActiveFault> swallowing(HttpHead request) {
    return faults.stream()
        .filter(fault -> fault.fault() instanceof ProxyFault.BlackHole)
        .filter(fault -> fault.hits(request.method(), request.path()))
        .findFirst();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new RigException("cannot close a proxy", e);
    }
    heal();
    relays.forEach(Relay::reset);
    threads.close();
  }
}
