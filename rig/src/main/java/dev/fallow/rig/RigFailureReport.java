package dev.fallow.rig;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * JUnit extension: when a test fails, keeps the files of every open rig and prints how their logs
 * end. It comes too late for a rig that the test method itself opens and closes; keep the rig in a
 * field that is closed after each test or after all.
 *
 * <pre>{@code @ExtendWith(RigFailureReport.class)}</pre>
 */
public final class RigFailureReport implements AfterTestExecutionCallback {
  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.err.println(RigFolder.keepAndReportOpen());
    }
  }
}
