package dev.fallow.adapters.casefolder;

import dev.fallow.adapters.ExpositionText;
import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.UsageSourceContract;
import dev.fallow.core.idle.UsageSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** The contract by way of a folder's samples.om. */
class CaseFolderUsageSourceTest extends UsageSourceContract {

  @TempDir Path folder;

  @Override
  protected UsageSource sourceOf(List<PublishedSeries> series, Instant at, Duration window)
      throws IOException, UnreadableCase {
    Files.writeString(folder.resolve("case.yaml"), "at: " + at + "\n");
    Files.writeString(folder.resolve("objects.yaml"), "");
    Files.writeString(folder.resolve("samples.om"), ExpositionText.withTimes(series));
    return CaseFolder.read(folder).samples();
  }
}
