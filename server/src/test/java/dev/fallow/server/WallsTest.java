package dev.fallow.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class WallsTest {

  private final JavaClasses server =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.fallow.server");

  @Test
  void theServerSeesNothingOfOursButCore() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackages(
            "dev.fallow.adapters..", "dev.fallow.app..", "dev.fallow.sim..", "dev.fallow.rig..")
        .check(server);
  }

  @Test
  void onlyTheFrontKnowsTheWire() {
    noClasses()
        .that()
        .resideInAPackage("dev.fallow.server.*..")
        .or()
        .haveSimpleName("Router")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.sun.net.httpserver..", "java.net..")
        .check(server);
  }
}
