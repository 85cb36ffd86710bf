package dev.fallow.server.keda;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Calls as KEDA does: a real channel, and messages that another library wrote. */
final class KedaClient implements AutoCloseable {

  private final ManagedChannel channel;

  KedaClient(int port, ChannelCredentials credentials) {
    this.channel = OkHttpChannelBuilder.forAddress("localhost", port, credentials).build();
  }

  DynamicMessage call(String method, DynamicMessage request, String reply) {
    return read(call(method, request.toByteArray()), ExternalScalerProto.type(reply));
  }

  byte[] call(String method, byte[] request) {
    return ClientCalls.blockingUnaryCall(
        channel,
        ScalerService.method(method, MethodType.UNARY),
        CallOptions.DEFAULT.withDeadlineAfter(20, SECONDS),
        request);
  }

  boolean active(String namespace, Map<String, String> metadata) {
    DynamicMessage reply =
        call("IsActive", ExternalScalerProto.ref(namespace, metadata), "IsActiveResponse");
    return (boolean) ExternalScalerProto.field(reply, "result");
  }

  /** What is told, in its order: true, false, or what ended it. */
  BlockingQueue<Object> stream(String namespace, Map<String, String> metadata) {
    BlockingQueue<Object> told = new LinkedBlockingQueue<>();
    ClientCalls.asyncServerStreamingCall(
        channel.newCall(
            ScalerService.method("StreamIsActive", MethodType.SERVER_STREAMING),
            CallOptions.DEFAULT),
        ExternalScalerProto.ref(namespace, metadata).toByteArray(),
        new StreamObserver<byte[]>() {
          @Override
          public void onNext(byte[] reply) {
            DynamicMessage message = read(reply, ExternalScalerProto.type("IsActiveResponse"));
            told.add(ExternalScalerProto.field(message, "result"));
          }

          @Override
          public void onError(Throwable failure) {
            told.add(failure);
          }

          @Override
          public void onCompleted() {
            told.add("completed");
          }
        });
    return told;
  }

  private static DynamicMessage read(byte[] message, Descriptor type) {
    try {
      return DynamicMessage.parseFrom(type, message);
    } catch (InvalidProtocolBufferException broken) {
      throw new AssertionError(broken);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
