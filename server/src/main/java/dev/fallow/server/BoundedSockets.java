package dev.fallow.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ServerSocketFactory;

/** Takes so many connections at once, over TLS where there are keys, and cuts those beyond. */
final class BoundedSockets extends ServerSocketFactory {

  private final Semaphore room;

  private final Duration mute;
  private final Optional<GrpcKeys> keys;

  /**
   * @param mute after which a connection that says nothing is cut
   */
  BoundedSockets(int most, Duration mute, Optional<GrpcKeys> keys) {
    this.room = new Semaphore(most);
    this.mute = mute;
    this.keys = keys;
  }

  @Override
  public ServerSocket createServerSocket() throws IOException {
    return new Listening();
  }

  @Override
  public ServerSocket createServerSocket(int port) {
    throw new UnsupportedOperationException("bound later");
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog) {
    throw new UnsupportedOperationException("bound later");
  }

  @Override
  public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
    throw new UnsupportedOperationException("bound later");
  }

  private final class Listening extends ServerSocket {

    Listening() throws IOException {
      super();
    }

    @Override
    public Socket accept() throws IOException {
      while (true) {
        Counted connection = new Counted();
        implAccept(connection);
        if (room.tryAcquire()) {
          connection.counted.set(true);
          try {
            connection.setSoTimeout(Math.toIntExact(mute.toMillis()));
            return keys.isPresent() ? keys.get().over(connection) : connection;
          } catch (SocketException goneAgain) {
            // Whoever it was; the next one waits.
          }
        }
        connection.close();
      }
    }
  }

  private final class Counted extends Socket {

    private final AtomicBoolean counted = new AtomicBoolean();

    @Override
    public void close() throws IOException {
      if (counted.compareAndSet(true, false)) {
        room.release();
      }
      super.close();
    }
  }
}
