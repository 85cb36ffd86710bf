package dev.fallow.server.keda;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * {@code externalscaler.ExternalScaler}, as KEDA calls it. Its newest method, which pushes targets,
 * is left out: targets do not change here, and KEDA does without it.
 */
public final class ScalerService {

  static final String NAME = "externalscaler.ExternalScaler";

  /** Between two looks for those who wait to be told. */
  public static final Duration USUAL_PACE = Duration.ofSeconds(5);

  static final int MOST_STREAMS = 500;

  private final Scaler scaler;
  private final Duration pace;
  private final Consumer<Throwable> defects;
  private final Semaphore streams = new Semaphore(MOST_STREAMS);

  /**
   * @param defects told of what should not have been thrown
   */
  public ScalerService(Scaler scaler, Duration pace, Consumer<Throwable> defects) {
    this.scaler = scaler;
    this.pace = pace;
    this.defects = defects;
  }

  public ServerServiceDefinition definition() {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(
            method("IsActive", MethodType.UNARY),
            unary(request -> scaler.active(ScaledObject.read(request))))
        .addMethod(
            method("StreamIsActive", MethodType.SERVER_STREAMING),
            ServerCalls.asyncServerStreamingCall(this::stream))
        .addMethod(
            method("GetMetricSpec", MethodType.UNARY),
            unary(request -> scaler.target(ScaledObject.read(request))))
        .addMethod(
            method("GetMetrics", MethodType.UNARY),
            unary(request -> scaler.value(MetricsRequest.read(request))))
        .build();
  }

  private ServerCallHandler<byte[], byte[]> unary(Function<byte[], ScaleReply> answer) {
    return ServerCalls.asyncUnaryCall((request, reply) -> {
      try {
        reply.onNext(answer.apply(request).message());
        reply.onCompleted();
      } catch (RuntimeException failure) {
        reply.onError(status(failure).asRuntimeException());
      }
    });
  }

  private void stream(byte[] request, StreamObserver<byte[]> observer) {
    ServerCallStreamObserver<byte[]> reply = (ServerCallStreamObserver<byte[]>) observer;
    if (!streams.tryAcquire()) {
      reply.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription(
                  MOST_STREAMS + " ScaledObjects are waiting already; use the type external")
              .asRuntimeException());
      return;
    }
    Thread watch =
        Thread.ofVirtual()
            .name("keda-stream")
            .unstarted(() -> {
              try {
                watch(request, reply);
              } finally {
                streams.release();
              }
            });
    reply.setOnCancelHandler(watch::interrupt);
    watch.start();
  }

  /** Tells what is so now, and then each change. Without a number nothing has changed. */
  private void watch(byte[] request, ServerCallStreamObserver<byte[]> reply) {
    Optional<ScaleReply.Active> told = Optional.empty();
    try {
      ScaledObject asked = ScaledObject.read(request);
      while (!reply.isCancelled()) {
        Optional<ScaleReply.Active> now = activeNow(asked);
        if (now.isPresent() && !now.equals(told) && reply.isReady()) {
          reply.onNext(now.get().message());
          told = now;
        }
        Thread.sleep(pace);
      }
    } catch (InterruptedException gone) {
      // Nobody listens any more.
    } catch (RuntimeException failure) {
      reply.onError(status(failure).asRuntimeException());
    }
  }

  private Optional<ScaleReply.Active> activeNow(ScaledObject asked) {
    try {
      return Optional.of(scaler.active(asked));
    } catch (Refused refused) {
      if (refused.reason() == Refused.Reason.INVALID) {
        throw refused;
      }
      return Optional.empty();
    }
  }

  private Status status(RuntimeException failure) {
    return switch (failure) {
      case Refused refused ->
          switch (refused.reason()) {
            case INVALID -> Status.INVALID_ARGUMENT.withDescription(refused.sentence());
            case NOT_MEASURED -> Status.FAILED_PRECONDITION.withDescription(refused.sentence());
            case AWAY -> Status.UNAVAILABLE.withDescription(refused.sentence());
          };
      case ProtoReader.Malformed malformed ->
          Status.INVALID_ARGUMENT.withDescription(
              "the request cannot be read: " + malformed.getMessage());
      default -> {
        defects.accept(failure);
        yield Status.INTERNAL.withDescription("the scaler failed; its log says why");
      }
    };
  }

  static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
        .setRequestMarshaller(new Bytes())
        .setResponseMarshaller(new Bytes())
        .build();
  }

  /** Messages pass as they are: what cannot be read is answered by us, and not by the library. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
  }
}
