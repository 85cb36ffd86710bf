package dev.fallow.app.web;

import dev.fallow.app.Remembered;
import dev.fallow.app.WrongUse;
import dev.fallow.app.log.Log;
import dev.fallow.server.metricsapi.FrontProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Whose certificates prove that a request comes from the proxy in front. The file may change at any
 * time; one that holds no certificate any more trusts nobody.
 */
public final class ProxyAuthority implements Supplier<FrontProxy> {

  private static final Duration PACE = Duration.ofSeconds(15);

  private final Path file;
  private final List<String> names;
  private final Duration pace;
  private final Remembered<FrontProxy> read = new Remembered<>(1);
  private String text = "";
  private FrontProxy proxy = FrontProxy.NONE;

  /**
   * @throws WrongUse if there is no certificate in the file
   */
  public ProxyAuthority(Path file, List<String> names) {
    this(file, names, PACE);
    if (!get().trustsSomebody()) {
      throw new WrongUse(
          "--dashboard-proxy-ca: " + file + " holds no certificate that can be read");
    }
  }

  /**
   * @param pace how long a reading holds
   */
  ProxyAuthority(Path file, List<String> names, Duration pace) {
    this.file = file;
    this.names = List.copyOf(names);
    this.pace = pace;
  }

  @Override
  public FrontProxy get() {
    return read.get("", this::now, any -> pace);
  }

  /** The same one as long as the file is the same: it remembers which certificates are good. */
  private synchronized FrontProxy now() {
    try {
      String next = Files.readString(file);
      if (!next.equals(text)) {
        text = next;
        proxy = FrontProxy.of(next, names);
        if (!proxy.trustsSomebody()) {
          Log.warn("no proxy is trusted: the file holds no certificate", "file", file);
        }
      }
    } catch (IOException unreadable) {
      Log.warn("--dashboard-proxy-ca cannot be read; the last reading holds", "file", file);
    }
    return proxy;
  }
}
