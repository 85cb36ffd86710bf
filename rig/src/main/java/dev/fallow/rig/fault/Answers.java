package dev.fallow.rig.fault;

import java.nio.charset.StandardCharsets;

/** Answers that the proxy gives in the server's place. */
final class Answers {
  private Answers() {}

  /** What the API server says in this case. */
  static byte[] refusal(int status) {
    String reason =
        switch (status) {
          case 403 -> "Forbidden";
          case 404 -> "NotFound";
          case 409 -> "Conflict";
          case 410 -> "Expired";
          case 429 -> "TooManyRequests";
          case 500 -> "InternalError";
          case 503 -> "ServiceUnavailable";
          case 504 -> "Timeout";
          default -> "Unknown";
        };
    String body =
        """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
        "message":"a fault was injected","reason":"%s","code":%d}\
        """
            .formatted(reason, status);
    String more = status == 429 ? "Retry-After: 1\r\n" : "";
    return answer(status + " " + reason, more, body.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] good(byte[] body) {
    return answer("200 OK", "", body);
  }

  private static byte[] answer(String status, String headers, byte[] body) {
    byte[] head =
        "HTTP/1.1 %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(status, headers, body.length)
            .getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[head.length + body.length];
    System.arraycopy(head, 0, all, 0, head.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }
}
