package dev.fallow.server.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A scrape's answer.
 *
 * @param contentType which of the formats it is
 */
public record Scraped(String contentType, String text) {

  private static final ExpositionFormats FORMATS = ExpositionFormats.init();

  /** Whoever has something to be scraped. */
  public interface Source {
    /**
     * @param accept the formats the asker takes; empty for the usual
     */
    Scraped expose(String accept);
  }

  static Scraped of(PrometheusRegistry registry, String accept) {
    ExpositionFormatWriter writer =
        FORMATS.getOpenMetricsTextFormatWriter().accepts(accept)
            ? FORMATS.getOpenMetricsTextFormatWriter()
            : FORMATS.getPrometheusTextFormatWriter();
    ByteArrayOutputStream text = new ByteArrayOutputStream(1 << 14);
    try {
      writer.write(text, registry.scrape());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return new Scraped(writer.getContentType(), text.toString(StandardCharsets.UTF_8));
  }
}
