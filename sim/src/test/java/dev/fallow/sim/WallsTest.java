package dev.fallow.sim;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.fallow.core.idle.Judge;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WallsTest {

  private final JavaClasses sim =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.fallow.sim");

  @Test
  void theSimulationStandsOnCoreAndTheJdkAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.fallow.sim..",
            "dev.fallow.core..",
            "java..",
            "com.sun.net.httpserver..",
            "org.jspecify..")
        .check(sim);
  }

  @Test
  void theTruthIsNotAskedOfTheJudge() {
    noClasses().should().dependOnClassesThat().areAssignableTo(Judge.class).check(sim);
  }

  @Test
  void noClockRunsInside() {
    noClasses().should().dependOnClassesThat().areAssignableTo(Clock.class).check(sim);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(sim);
    noClasses().should().callMethod(Instant.class, "now").check(sim);
  }
}
