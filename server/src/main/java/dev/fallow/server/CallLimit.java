package dev.fallow.server;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reads so many requests at once: what all callers together can make the server hold. Further ones
 * wait for a little, unread, and are then turned away. Who has said everything and only listens
 * does not count.
 */
final class CallLimit implements ServerInterceptor {

  private final Semaphore room;
  private final Duration patience;

  CallLimit(int most, Duration patience) {
    this.room = new Semaphore(most);
    this.patience = patience;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!enter()) {
      call.close(
          Status.RESOURCE_EXHAUSTED.withDescription("too many calls at once; try again"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    Place place = new Place();
    boolean listens = !call.getMethodDescriptor().getType().serverSendsOneMessage();
    try {
      return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onHalfClose() {
          try {
            super.onHalfClose();
          } finally {
            if (listens) {
              place.leave();
            }
          }
        }

        @Override
        public void onComplete() {
          place.leave();
          super.onComplete();
        }

        @Override
        public void onCancel() {
          place.leave();
          super.onCancel();
        }
      };
    } catch (RuntimeException failure) {
      place.leave();
      throw failure;
    }
  }

  private boolean enter() {
    try {
      return room.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Given back once, however a call ends. */
  private final class Place {
    private final AtomicBoolean taken = new AtomicBoolean(true);

    void leave() {
      if (taken.compareAndSet(true, false)) {
        room.release();
      }
    }
  }
}
