package dev.fallow.server;

import dev.fallow.core.Unavailable;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A gRPC server with one service behind it, a virtual thread to a call. */
public final class GrpcFront implements AutoCloseable {

  /**
   * More than any Kubernetes object has. What is larger ends its call, and may hold up the calls
   * beside it on its connection; KEDA has one connection for all.
   */
  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private static final int MOST_READ_AT_ONCE = 32;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_HEADERS = 8 * 1024;
  private static final int MOST_CALLS = 1000;
  private static final int MOST_CONNECTIONS = 200;
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final Duration SILENCE = Duration.ofSeconds(20);

  /** Longer than a peer that answers our looks is ever quiet; who never begins is cut off too. */
  private static final Duration MUTE = Duration.ofMinutes(3);

  private static final Duration OFTEN = Duration.ofSeconds(10);
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final Server server;
  private final ExecutorService threads;
  private final Optional<GrpcKeys> keys;

  private GrpcFront(Server server, ExecutorService threads, Optional<GrpcKeys> keys) {
    this.server = server;
    this.threads = threads;
    this.keys = keys;
  }

  /**
   * @param port 0 for any that is free
   * @param keys to serve over TLS with; closed with this
   * @throws Unavailable if nothing can be served there, as where somebody else already does
   */
  public static GrpcFront start(
      String host, int port, Optional<GrpcKeys> keys, ServerServiceDefinition service) {
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    Server server =
        OkHttpServerBuilder.forPort(
                new InetSocketAddress(host, port), InsecureServerCredentials.create())
            .socketFactory(new BoundedSockets(MOST_CONNECTIONS, MUTE, keys))
            .executor(threads)
            .transportExecutor(threads)
            .maxInboundMessageSize(MOST_BYTES)
            .maxInboundMetadataSize(MOST_HEADERS)
            .maxConcurrentCallsPerConnection(MOST_CALLS)
            .maxConnectionIdle(IDLE.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTime(LOOK.toSeconds(), TimeUnit.SECONDS)
            .keepAliveTimeout(SILENCE.toSeconds(), TimeUnit.SECONDS)
            .permitKeepAliveTime(OFTEN.toSeconds(), TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .intercept(new CallLimit(MOST_READ_AT_ONCE, PATIENCE))
            .addService(service)
            .build();
    try {
      server.start();
    } catch (IOException failure) {
      threads.shutdownNow();
      keys.ifPresent(GrpcKeys::close);
      throw new Unavailable(
          "grpc", "cannot serve on " + host + ":" + port + ": " + failure.getMessage(), false);
    }
    return new GrpcFront(server, threads, keys);
  }

  public int port() {
    return server.getPort();
  }

  /** What runs may finish for a moment; whoever waits to be told of changes is cut off. */
  @Override
  public void close() {
    server.shutdown();
    try {
      boolean _ = server.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    server.shutdownNow();
    threads.shutdownNow();
    keys.ifPresent(GrpcKeys::close);
  }
}
