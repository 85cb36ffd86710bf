package dev.fallow.adapters.prometheus;

import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The token that opens Prometheus, if one is needed. No form of it shows itself in text. */
public sealed interface BearerToken {

  /** The token as it is now. */
  Optional<String> current();

  static BearerToken none() {
    return new None();
  }

  /**
   * A token given as text; blank text is none.
   *
   * @throws IllegalArgumentException with a sentence for people if it cannot be a token
   */
  static BearerToken fixed(String text) {
    if (text.isBlank()) {
      return none();
    }
    if (!plausible(text.strip())) {
      throw new IllegalArgumentException(
          "the given Prometheus token holds characters that no token has");
    }
    return new Fixed(text.strip());
  }

  /** A token in a file that somebody renews, such as a projected service account token. */
  static BearerToken file(Path path) {
    return new InFile(path);
  }

  /** A token that another part of the program keeps fresh. */
  static BearerToken supplied(Supplier<Optional<String>> tokens) {
    return new Supplied(tokens);
  }

  private static boolean plausible(String token) {
    return !token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /** No token. */
  record None() implements BearerToken {
    @Override
    public Optional<String> current() {
      return Optional.empty();
    }
  }

  /** A token that stays as it is. */
  final class Fixed implements BearerToken {
    private final String token;

    private Fixed(String token) {
      this.token = token;
    }

    @Override
    public Optional<String> current() {
      return Optional.of(token);
    }

    @Override
    public String toString() {
      return "a given token";
    }
  }

  /** A token from elsewhere, asked for at each use. */
  final class Supplied implements BearerToken {
    private final Supplier<Optional<String>> tokens;

    private Supplied(Supplier<Optional<String>> tokens) {
      this.tokens = tokens;
    }

    @Override
    public Optional<String> current() {
      Optional<String> token = tokens.get().map(String::strip).filter(text -> !text.isEmpty());
      if (token.isPresent() && !plausible(token.get())) {
        throw new Unavailable(
            "prometheus", "the supplied token holds characters that no token has", false);
      }
      return token;
    }

    @Override
    public String toString() {
      return "a supplied token";
    }
  }

  /** A token in a file, read again when the file is another one or was written again. */
  final class InFile implements BearerToken {
    private static final int LONGEST = 64 * 1024;

    private record Seen(FileTime modified, long size, @Nullable Object identity) {}

    private final Path path;
    private @Nullable Seen seen;
    private String token = "";

    private InFile(Path path) {
      this.path = path;
    }

    @Override
    public synchronized Optional<String> current() {
      try {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        Seen stamp = new Seen(now.lastModifiedTime(), now.size(), now.fileKey());
        if (!stamp.equals(seen)) {
          token = read(now.size());
          seen = stamp;
        }
        return Optional.of(token);
      } catch (IOException e) {
        throw new Unavailable(
            "prometheus",
            "the token file " + path + " cannot be read; check the path and its permissions",
            true,
            e);
      }
    }

    private String read(long size) throws IOException {
      String text = size > LONGEST ? "" : Files.readString(path, StandardCharsets.ISO_8859_1);
      if (!plausible(text.strip())) {
        throw new Unavailable(
            "prometheus", "the token file " + path + " holds no token; write it anew", true);
      }
      return text.strip();
    }

    @Override
    public String toString() {
      return "the token in " + path;
    }
  }
}
