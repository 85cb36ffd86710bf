package dev.fallow.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Makes a large answer small for whoever takes it so. To pack one takes a tenth of the time that
 * encrypting it whole does. Not for answers that hold a secret beside what others have chosen: how
 * small those become tells of the secret.
 */
public final class Gzip {

  private static final int WORTH_IT = 4 * 1024;

  private Gzip() {}

  public static Reply fitting(Request request, Reply reply) {
    if (reply.body().length() < WORTH_IT
        || reply.headers().containsKey("Content-Encoding")
        || !isTaken(request)) {
      return reply;
    }
    return reply
        .with(packed(reply.body()))
        .with("Content-Encoding", "gzip")
        .with("Vary", "Accept-Encoding");
  }

  private static boolean isTaken(Request request) {
    return request.headerAll("Accept-Encoding").stream()
        .flatMap(value -> Arrays.stream(value.toLowerCase(Locale.ROOT).split(",")))
        .map(coding -> coding.replace(" ", ""))
        .anyMatch(coding -> coding.matches("gzip(;.*)?") && !coding.matches("gzip;q=0(\\.0*)?"));
  }

  private static Body packed(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) (body.length() / 8));
    try (OutputStream out = new Fast(bytes)) {
      body.writeTo(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Body.of(bytes.toByteArray());
  }

  private static final class Fast extends GZIPOutputStream {
    Fast(OutputStream out) throws IOException {
      super(out, 8 * 1024);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
