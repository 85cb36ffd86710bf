package dev.fallow.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class WallsTest {

  private final JavaClasses core =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.fallow.core");

  @Test
  void coreSeesTheJdkAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.fallow.core..", "java..", "org.jspecify.annotations..")
        .check(core);
  }

  @Test
  void coreHasNoClockNoThreadsAndNoNetwork() {
    noClasses()
        .should()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net..", "java.nio.file..", "java.util.concurrent..")
        .check(core);
  }
}
