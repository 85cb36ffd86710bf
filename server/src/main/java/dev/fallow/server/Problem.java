package dev.fallow.server;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why a request failed, as RFC 9457 writes it.
 *
 * @param reason for machines; where a refusal of ours is the cause, its own name
 * @param detail for people; what they sent is never repeated in it beyond a name
 */
public record Problem(int status, String reason, String detail) {

  static Problem badRequest(String detail) {
    return new Problem(400, "BAD_REQUEST", detail);
  }

  static Problem notFound() {
    return new Problem(404, "NOT_FOUND", "there is nothing at this path");
  }

  static Problem bodyTooLarge() {
    return new Problem(
        413, "BODY_TOO_LARGE", "a body may have at most " + HttpLimits.BODY + " bytes");
  }

  static Problem tooBusy() {
    return new Problem(503, "TOO_BUSY", "too many large requests at once; try again in a moment");
  }

  static Problem tooOften() {
    return new Problem(
        429,
        "TOO_MANY_REQUESTS",
        "at most " + HttpLimits.PER_SECOND + " requests a second are answered; wait a second");
  }

  static Problem stopping() {
    return new Problem(503, "STOPPING", "the server is about to stop");
  }

  static Problem defect() {
    return new Problem(500, "DEFECT", "this is a bug in fallow; its log says more");
  }

  public Reply reply() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", "about:blank");
    fields.put("title", title());
    fields.put("status", status);
    fields.put("detail", detail);
    fields.put("reason", reason);
    return Reply.of(status, "application/problem+json", JsonText.bytes(fields));
  }

  private String title() {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 413 -> "Content Too Large";
      case 415 -> "Unsupported Media Type";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "Problem";
    };
  }
}
