package dev.fallow.adapters;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.fallow.core.exposition.ExpositionParser;
import dev.fallow.core.exposition.ExpositionParser.Timestamps;
import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.exposition.SeriesText;
import dev.fallow.core.idle.SeriesLabels;
import java.io.IOException;
import java.io.StringReader;

/**
 * Whatever an exporter writes is read or refused. A series that was read can be written and is then
 * read as the same.
 */
class ExpositionFuzzTest {

  @FuzzTest(maxDuration = "30s")
  void textIsReadOrRefused(FuzzedDataProvider data) throws IOException {
    Timestamps timestamps = data.pickValue(Timestamps.values());
    String text = data.consumeRemainingAsString();
    try {
      new ExpositionParser(timestamps, (series, value, millis) -> check(series))
          .parse(new StringReader(text));
    } catch (MalformedText refused) {
      if (String.valueOf(refused.getMessage()).length() > 500) {
        throw new IllegalStateException("a message as long as the text", refused);
      }
    }
  }

  private static void check(String series) throws MalformedText {
    SeriesText read = SeriesText.parse(series);
    SeriesLabels.of(read.metric(), read.labels());
    SeriesText again;
    try {
      again = SeriesText.parse(read.toString());
    } catch (MalformedText lost) {
      throw new IllegalStateException("cannot be read again: " + read, lost);
    }
    if (!again.equals(read)) {
      throw new IllegalStateException(again + " was " + read);
    }
  }
}
