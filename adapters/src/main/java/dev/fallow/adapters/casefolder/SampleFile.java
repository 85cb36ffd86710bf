package dev.fallow.adapters.casefolder;

import dev.fallow.core.exposition.ExpositionParser;
import dev.fallow.core.exposition.ExpositionParser.Timestamps;
import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.exposition.SeriesText;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The samples of a case: OpenMetrics text in which every sample has its time. */
public final class SampleFile implements UsageSource {

  private final List<UsageSeries> series;

  private SampleFile(List<UsageSeries> series) {
    this.series = List.copyOf(series);
  }

  static SampleFile read(Path file, Instant at) throws UnreadableCase {
    Collector collector = new Collector(at);
    try (Reader text = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      boolean ended = new ExpositionParser(Timestamps.SECONDS, collector::take).parse(text);
      if (!ended) {
        throw new UnreadableCase(file + " does not end in \"# EOF\": it is cut off");
      }
    } catch (NoSuchFileException absent) {
      throw new UnreadableCase(file + " is missing", absent);
    } catch (CharacterCodingException garbled) {
      throw new UnreadableCase(file + " is not UTF-8 text", garbled);
    } catch (MalformedText malformed) {
      throw new UnreadableCase(file + ", " + malformed.getMessage(), malformed);
    } catch (IOException unreadable) {
      throw new UnreadableCase(file + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
    return new SampleFile(collector.series());
  }

  @Override
  public Usage read(Instant at, Duration window) {
    long until = at.toEpochMilli();
    long since = until - window.toMillis() - UsageSource.lookback(window).toMillis();
    List<UsageSeries> asked = new ArrayList<>();
    for (UsageSeries one : series) {
      Samples.Builder kept = new Samples.Builder(Instant.ofEpochMilli(since));
      Samples samples = one.samples();
      for (int i = samples.firstAfter(since); i < samples.size(); i++) {
        if (samples.millis(i) <= until) {
          kept.add(samples.millis(i), samples.value(i));
        }
      }
      if (kept.size() > 0) {
        asked.add(new UsageSeries(one.labels(), kept.build()));
      }
    }
    return new Usage.Complete(asked);
  }

  /** Gathers samples by series; families that say nothing of use are left out. */
  private static final class Collector {
    private final Instant base;
    private final Map<String, Optional<Gathered>> bySeries = new LinkedHashMap<>();

    Collector(Instant base) {
      this.base = base;
    }

    void take(String text, double value, OptionalLong millis) throws MalformedText {
      Optional<Gathered> gathered = bySeries.get(text);
      if (gathered == null) {
        SeriesText parsed = SeriesText.parse(text);
        gathered =
            SeriesLabels.of(parsed.metric(), parsed.labels())
                .map(labels -> new Gathered(labels, new Samples.Builder(base)));
        bySeries.put(text, gathered);
      }
      if (gathered.isPresent()) {
        if (millis.isEmpty()) {
          throw new MalformedText("a sample of a case needs its timestamp");
        }
        gathered.get().samples().add(millis.getAsLong(), value);
      }
    }

    List<UsageSeries> series() {
      return bySeries.values().stream()
          .flatMap(Optional::stream)
          .map(one -> new UsageSeries(one.labels(), one.samples().build()))
          .toList();
    }

    private record Gathered(SeriesLabels labels, Samples.Builder samples) {}
  }
}
