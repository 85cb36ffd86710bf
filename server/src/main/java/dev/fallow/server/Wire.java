package dev.fallow.server;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** Writes replies. */
final class Wire {

  private Wire() {}

  static void send(HttpExchange exchange, Reply reply) throws IOException {
    putHeaders(exchange, reply);
    Body body = reply.body();
    boolean bare = reply.status() == 204 || reply.status() == 304;
    if (exchange.getRequestMethod().equals("HEAD") || bare) {
      if (!bare) {
        exchange.getResponseHeaders().set("Content-Length", Long.toString(body.length()));
      }
      exchange.sendResponseHeaders(reply.status(), -1);
    } else {
      exchange.sendResponseHeaders(reply.status(), body.length() == 0 ? -1 : body.length());
      body.writeTo(exchange.getResponseBody());
      // To close means to wait for what the client still has to send; the answer need not.
      exchange.getResponseBody().flush();
    }
    exchange.close();
  }

  /** An answer without an end; it ends when the other side has gone. */
  static void stream(HttpExchange exchange, Reply reply, Reply.Stream stream) throws IOException {
    putHeaders(exchange, reply);
    boolean bodiless = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(reply.status(), bodiless ? -1 : 0);
    if (!bodiless) {
      stream.writeTo(exchange.getResponseBody());
    }
    exchange.close();
  }

  private static void putHeaders(HttpExchange exchange, Reply reply) {
    reply.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    reply.cookies().forEach(cookie -> exchange.getResponseHeaders().add("Set-Cookie", cookie));
  }

  /** To whom has to come back on a new connection: nobody knows what is left on this one. */
  static void sendLast(HttpExchange exchange, Reply reply) throws IOException {
    send(exchange, reply.with("Connection", "close"));
  }
}
