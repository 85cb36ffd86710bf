package dev.fallow.systemtests.campaign;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Who judges the product must not ask it. */
class WallsTest {
  @Test
  void nothingHereUsesTheProductsCode() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.fallow.core..",
            "dev.fallow.adapters..",
            "dev.fallow.app..",
            "dev.fallow.server..",
            "dev.fallow.sim..",
            "io.fabric8..",
            "com.fasterxml..")
        .check(new ClassFileImporter().importPackages("dev.fallow.systemtests.campaign"));
  }
}
