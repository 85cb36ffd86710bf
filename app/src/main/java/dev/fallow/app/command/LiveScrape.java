package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ExporterEndpoints;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.scrape.ScrapeSettings;
import dev.fallow.adapters.scrape.ScrapeTarget;
import dev.fallow.adapters.scrape.ScrapeUsageSource;
import dev.fallow.app.Console;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.idle.Durations;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The exporters of a cluster without Prometheus, looked at directly. */
final class LiveScrape {

  private LiveScrape() {}

  /** A source that has yet to look; it knows a window only after it has looked for one. */
  static ScrapeUsageSource open(
      KubernetesConnection connection, Settings settings, Duration window) {
    ScrapeSettings usual = ScrapeSettings.remembering(window);
    return new ScrapeUsageSource(
        () -> targets(connection, settings),
        new ScrapeSettings(
            settings.of(Catalogue.SCRAPE_INTERVAL),
            usual.rediscovery(),
            usual.connectTimeout(),
            usual.timeout(),
            window,
            usual.limits()),
        InstantSource.system());
  }

  /** A single look at a cluster has to wait for its evidence; it says so, and how to wait less. */
  static void awaitWindow(Console console, Settings settings, Duration window) {
    Duration wait = window.plus(settings.of(Catalogue.SCRAPE_INTERVAL).multipliedBy(2));
    console.say(
        "looking at exporters for "
            + Durations.format(wait)
            + ", since there is no history to ask; a shorter --duration asks for less");
    try {
      boolean _ = new CountDownLatch(1).await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<ScrapeTarget> targets(KubernetesConnection connection, Settings settings) {
    List<String> byHand = settings.of(Catalogue.EXPORTERS);
    if (!byHand.isEmpty()) {
      return byHand.stream().map(LiveScrape::target).toList();
    }
    return ExporterEndpoints.find(connection, Optional.empty()).endpoints().stream()
        .map(endpoint ->
            new ScrapeTarget(endpoint.url(), endpoint.namespace(), endpoint.pod(), endpoint.node()))
        .toList();
  }

  static ScrapeTarget target(String address) {
    try {
      return ScrapeTarget.byHand(URI.create(address));
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--exporters: " + refused.getMessage());
    }
  }
}
