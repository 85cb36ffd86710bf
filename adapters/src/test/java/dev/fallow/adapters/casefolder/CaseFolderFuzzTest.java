package dev.fallow.adapters.casefolder;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whatever is in a case folder, it is judged or refused with {@link UnreadableCase}. */
class CaseFolderFuzzTest {

  private static final int LARGEST = 16 << 10;
  private static final Path FOLDER = folder();

  /** One of the three files is bytes, the others are as they should be; or all of them are. */
  @FuzzTest(maxDuration = "30s")
  void folderIsJudgedOrRefused(FuzzedDataProvider data) throws IOException {
    int broken = data.consumeInt(0, 3);
    byte[] bytes = data.consumeBytes(LARGEST);
    write(CaseFolder.CASE, broken == 0 || broken == 3, bytes, GoodCase.CASE);
    write(CaseFolder.OBJECTS, broken == 1 || broken == 3, bytes, GoodCase.OBJECTS);
    write(CaseFolder.SAMPLES, broken == 2, bytes, GoodCase.samples());
    try {
      CaseFolder read = CaseFolder.read(FOLDER);
      Judge.judge(
          read.cluster(),
          read.samples().read(read.at(), IdleRule.DEFAULT.window()),
          read.at(),
          IdleRule.DEFAULT,
          Optional.empty());
    } catch (UnreadableCase refused) {
      if (!String.valueOf(refused.getMessage()).contains(FOLDER.toString())) {
        throw new IllegalStateException("the message names no file", refused);
      }
    }
  }

  private static void write(String file, boolean broken, byte[] bytes, String good)
      throws IOException {
    if (broken) {
      Files.write(FOLDER.resolve(file), bytes);
    } else {
      Files.writeString(FOLDER.resolve(file), good);
    }
  }

  /** In memory where there is such a folder: a fuzzer writes it some thousand times a second. */
  private static Path folder() {
    try {
      Path memory = Path.of("/dev/shm");
      Path folder =
          Files.isWritable(memory)
              ? Files.createTempDirectory(memory, "fallow-fuzz")
              : Files.createTempDirectory("fallow-fuzz");
      folder.toFile().deleteOnExit();
      for (String file : new String[] {CaseFolder.CASE, CaseFolder.OBJECTS, CaseFolder.SAMPLES}) {
        folder.resolve(file).toFile().deleteOnExit();
      }
      return folder;
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }
}
