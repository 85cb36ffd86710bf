package dev.fallow.adapters;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class WallsTest {

  private final JavaClasses adapters =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.fallow.adapters");

  @Test
  void adaptersDoNotSeeEachOther() {
    slices().matching("dev.fallow.adapters.(*)..").should().notDependOnEachOther().check(adapters);
  }

  @Test
  void adaptersSeeNothingOfOursButCore() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackages("dev.fallow.app..", "dev.fallow.sim..", "dev.fallow.rig..")
        .check(adapters);
  }

  @Test
  void onlyTheKubernetesAdapterSeesItsClient() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.fallow.adapters.kubernetes..")
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackage("io.fabric8..")
        .check(adapters);
  }

  @Test
  void onlyTheLedgerSpeaksSql() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.fallow.adapters.ledger..")
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackages("java.sql..", "org.sqlite..", "org.postgresql..")
        .check(adapters);
  }
}
