package dev.fallow.systemtests.campaign;

import static dev.fallow.systemtests.campaign.AuditScript.time;
import static dev.fallow.systemtests.campaign.MadeUpRun.OWNER;
import static dev.fallow.systemtests.campaign.MadeUpRun.US;
import static dev.fallow.systemtests.campaign.MadeUpRun.annotations;
import static dev.fallow.systemtests.campaign.MadeUpRun.deployment;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker must find each broken promise, and nothing where all were kept. */
class CheckerTest {
  private static final String THREE = "\"spec\":{\"replicas\":3}";
  private final MadeUpRun run = new MadeUpRun();

  // What is right.

  @Test
  void aRunThatKeepsAllPromisesHasNoViolations() {
    ObjectRef trainer = run.idle("trainer");
    run.busy("server", 0, 7_200);
    run.at(3_600).pause(trainer, "a1");
    run.at(4_000).api.patch(US, trainer, annotations("\"fallow.dev/keep-until\":\"x\""));
    run.at(5_000).resume(trainer, THREE);
    run.keeps.add(keep(trainer, 5_001, 10_000));

    Checker.Findings findings = run.check();

    assertThat(findings.violations()).isEmpty();
    assertThat(findings.unproven()).isEmpty();
    assertThat(findings.pauses()).isEqualTo(1);
    assertThat(findings.resumes()).isEqualTo(1);
  }

  @Test
  void everyKindsOwnWayOfPausingIsSeen() {
    ObjectRef job = new ObjectRef("batch", "jobs", "a", "x");
    run.workload(job, "{\"spec\":{\"suspend\":false}}", List.of());
    run.at(3_600).pause(job, "a1");
    ObjectRef training = new ObjectRef("kubeflow.org", "pytorchjobs", "b", "x");
    run.workload(training, "{\"spec\":{}}", List.of());
    pauseBy(training, "a2", "\"spec\":{\"runPolicy\":{\"suspend\":true}}");
    ObjectRef notebook = new ObjectRef("kubeflow.org", "notebooks", "c", "x");
    run.workload(notebook, "{\"spec\":{}}", List.of());
    pauseByAnnotation(notebook, "a3", "\"kubeflow-resource-stopped\":\"2026\"");
    ObjectRef scaled = new ObjectRef("keda.sh", "scaledobjects", "d", "x");
    run.api.create(OWNER, scaled, "{}");
    run.know(deployment("d", "x"), List.of(scaled), List.of());
    pauseByAnnotation(scaled, "a4", "\"autoscaling.keda.sh/paused-replicas\":\"0\"");
    run.ledger.removeLast();
    run.record(deployment("d", "x"), "a4");
    ObjectRef service = new ObjectRef("serving.kserve.io", "inferenceservices", "e", "llm");
    run.workload(service, "{}", List.of());
    ObjectRef state = new ObjectRef("fallow.dev", "workloadstates", "e", "inferenceservice-llm");
    run.api.create(US, state, "{}");
    run.api.patch(US, state, annotations(MadeUpRun.marks("a5", "{\"v\":1}")));
    run.api.patch(
        US,
        service,
        "{\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":{\"serving.kserve.io/stop\":\"true\"}}}"
            .formatted(run.api.revision(service)));
    run.record(service, "a5");
    run.cycles.addAll(List.of(time(0), time(3_600)));

    Checker.Findings findings = run.check();

    assertThat(findings.pauses()).isEqualTo(5);
    // Five in one cycle are three too many, and nothing else is wrong.
    assertThat(run.broken()).containsExactly("I5");
  }

  private void pauseBy(ObjectRef object, String id, String field) {
    run.api.patch(US, object, run.pausePatch(object, id, field, "{\"v\":1}"));
    run.record(object, id);
  }

  private void pauseByAnnotation(ObjectRef object, String id, String annotation) {
    run.api.patch(
        US,
        object,
        """
        {"metadata":{"resourceVersion":"%s","annotations":{%s,%s}}}\
        """
            .formatted(run.api.revision(object), annotation, MadeUpRun.marks(id, "{\"v\":1}")));
    run.record(object, id);
  }

  @Test
  void anInferenceServiceWithoutItsRecordBesideItBreaksI2() {
    ObjectRef service = new ObjectRef("serving.kserve.io", "inferenceservices", "e", "llm");
    run.workload(service, "{}", List.of());
    run.at(3_600)
        .api
        .patch(
            US,
            service,
            "{\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":{\"serving.kserve.io/stop\":\"true\"}}}"
                .formatted(run.api.revision(service)));
    assertThat(run.broken()).contains("I2");
  }

  // I1

  @Test
  void pausingWhatWasBusyInTheWindowBreaksI1() {
    ObjectRef trainer = run.busy("trainer", 3_100, 3_200);
    run.at(3_600).pause(trainer, "a1");

    Checker.Findings findings = run.check();

    assertThat(findings.violations())
        .singleElement()
        .satisfies(violation -> {
          assertThat(violation.invariant()).isEqualTo("I1");
          assertThat(violation.sentence()).contains("GPU-1", "trainer-1");
          assertThat(violation.entries())
              .singleElement()
              .satisfies(entry ->
                  assertThat(entry.event().at("requestObject", "spec", "replicas").text())
                      .isEqualTo("0"));
        });
  }

  @Test
  void activityBeforeTheWindowOrTooLateToBeSeenBreaksNothing() {
    ObjectRef early = run.busy("early", 0, 2_969);
    ObjectRef late = run.busy("late", 3_571, 3_600);
    run.at(3_600).pause(early, "a1");
    run.at(3_600).pause(late, "a2");
    run.idle("more");
    run.idle("and-more");
    run.end = 3_700;
    assertThat(run.check().violations()).isEmpty();
  }

  @Test
  void pausingWhatHasNotRunForAWindowBreaksI1() {
    ObjectRef trainer = run.idle("trainer");
    run.at(500).pause(trainer, "a1");
    assertThat(run.broken()).containsExactly("I1");
  }

  // I2

  @Test
  void aWrongCountBreaksI2() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).intend(trainer, "a1", 1);
    run.api.patch(
        US,
        trainer,
        run.pausePatch(trainer, "a1", "\"spec\":{\"replicas\":0}", "{\"replicas\":2}"));
    run.record(trainer, "a1");
    assertThat(run.broken()).containsExactly("I2");
    assertThat(run.check().violations().getFirst().sentence()).contains("from 3", "stored 2");
  }

  @Test
  void theLastCountIsTheOneAScaleRequestHasSet() {
    ObjectRef trainer = run.idle("trainer");
    run.at(1_000).api.scale(OWNER, trainer, 5);
    run.at(3_600).intend(trainer, "a1", 1);
    run.api.patch(
        US,
        trainer,
        run.pausePatch(trainer, "a1", "\"spec\":{\"replicas\":0}", "{\"replicas\":3}"));
    run.record(trainer, "a1");
    assertThat(run.broken()).containsExactly("I2");
  }

  @Test
  void aCountThatWasAbsentMustStayAbsent() {
    ObjectRef rollout = new ObjectRef("argoproj.io", "rollouts", "ml", "x");
    run.workload(rollout, "{\"spec\":{}}", List.of());
    run.at(3_600).intend(rollout, "a1", 1);
    run.api.patch(
        US,
        rollout,
        run.pausePatch(rollout, "a1", "\"spec\":{\"replicas\":0}", "{\"replicas\":1}"));
    run.record(rollout, "a1");
    assertThat(run.broken()).containsExactly("I2");
  }

  @Test
  void aPauseWithoutMarksBreaksI2AndThoseThatNeedThem() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600)
        .api
        .patch(
            US,
            trainer,
            "{\"metadata\":{\"resourceVersion\":\"%s\"},\"spec\":{\"replicas\":0}}"
                .formatted(run.api.revision(trainer)));
    assertThat(run.broken()).containsExactly("I2", "I3");
  }

  @Test
  void losingWhatWasStoredWhilePausedBreaksI2() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.at(3_700).api.patch(US, trainer, annotations("\"fallow.dev/before-pause\":\"{}\""));
    assertThat(run.broken()).containsExactly("I2");
  }

  @Test
  void aRevisionThatNobodyLoggedIsUnprovenAndNoViolation() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_500).api.unseen(true).patch(OWNER, trainer, "{\"spec\":{\"replicas\":7}}");
    run.api.unseen(false);
    run.at(3_600);
    run.api.patch(
        US,
        trainer,
        run.pausePatch(trainer, "a1", "\"spec\":{\"replicas\":0}", run.before(trainer)));
    run.record(trainer, "a1");

    assertThat(run.check().violations()).isEmpty();
    assertThat(run.check().unproven()).hasSize(1);
  }

  // I3

  @Test
  void aPauseWithoutARecordBreaksI3OnceThereWasTimeToRepair() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.ledger.clear();
    run.end = 3_700;
    assertThat(run.broken()).isEmpty();
    run.end = 3_721;
    assertThat(run.broken()).containsExactly("I3");
  }

  @Test
  void aPauseThatIsInDoubtIsRecordedAndOneThatWasNotMadeMayBe() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.ledger.clear();
    run.doubt(trainer, "a1");
    run.doubt(trainer, "never made");
    run.end = 3_721;
    assertThat(run.broken()).isEmpty();
    run.record(trainer, "a1");
    run.record(trainer, "a1");
    assertThat(run.broken()).containsExactly("I3");
  }

  @Test
  void twoRecordsOfOnePauseBreakI3() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.record(trainer, "a1");
    assertThat(run.broken()).containsExactly("I3");
  }

  @Test
  void aRecordOfAnotherWorkloadBreaksI3() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.ledger.clear();
    run.record(deployment("ml", "other"), "a1");
    assertThat(run.broken()).containsExactly("I3");
  }

  @Test
  void aRecordWithoutAPauseBreaksI3UnlessNobodyCouldSeeIt() {
    run.record(run.busy("trainer", 0, 9_000), "a1");
    assertThat(run.broken()).containsExactly("I3");
    run.blind.add(new Span(time(-1), time(1)));
    assertThat(run.broken()).isEmpty();
    assertThat(run.check().unproven()).hasSize(1);
  }

  @Test
  void oneIdForTwoPausesBreaksI3() {
    ObjectRef one = run.idle("one");
    ObjectRef two = run.idle("two");
    run.idle("three");
    run.idle("four");
    run.at(3_600).pause(one, "a1");
    run.at(3_600).pause(two, "a1");
    assertThat(run.broken()).containsExactly("I3");
  }

  @Test
  void twoEventsOfOnePauseBreakI3() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.api.create(US, event("first"), "{\"reason\":\"Paused\",\"note\":\"action a1\"}");
    assertThat(run.broken()).isEmpty();
    run.api.create(US, event("second"), "{\"reason\":\"Paused\",\"note\":\"action a1\"}");
    assertThat(run.broken()).containsExactly("I3");
  }

  private static ObjectRef event(String name) {
    return new ObjectRef("events.k8s.io", "events", "ml", name);
  }

  // I4

  @Test
  void pausingWhatIsKeptBreaksI4() {
    ObjectRef trainer = run.idle("trainer");
    run.keeps.add(keep(trainer, 3_000, 4_000));
    run.at(3_600).pause(trainer, "a1");
    assertThat(run.broken()).containsExactly("I4");
  }

  @Test
  void aKeepBindsUntilTheVeryInstantItExpiresAndARefusedOneNever() {
    ObjectRef trainer = run.idle("trainer");
    run.keeps.add(keep(trainer, 3_000, 3_600));
    run.keeps.add(
        new KeepRequest(trainer, time(3_000), time(3_001), 503, time(9_000), time(9_000)));
    run.at(3_600).pause(trainer, "a1");
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void aKeepThatWasWrittenFirstBindsAlsoBeforeItsAnswerArrives() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).api.patch(OWNER, trainer, annotations("\"fallow.dev/keep-until\":\"x\""));
    run.at(3_600).pause(trainer, "a1");
    run.keeps.add(
        new KeepRequest(trainer, time(3_599), time(3_605), 200, time(9_000), time(9_000)));
    assertThat(run.broken()).containsExactly("I4");
  }

  @Test
  void aPauseThatWasWrittenBeforeTheKeepBreaksNothing() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.at(3_601).api.patch(OWNER, trainer, annotations("\"fallow.dev/keep-until\":\"x\""));
    run.keeps.add(
        new KeepRequest(trainer, time(3_599), time(3_605), 200, time(9_000), time(9_000)));
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void takingAKeepAwayBreaksI4() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_000).api.patch(OWNER, trainer, annotations("\"fallow.dev/keep-until\":\"x\""));
    run.keeps.add(keep(trainer, 3_001, 9_000));
    run.at(3_500).api.patch(US, trainer, annotations("\"fallow.dev/keep-until\":null"));
    assertThat(run.broken()).containsExactly("I4");
  }

  /** The store hung: who ended the keep was told that it failed, and it had not. */
  @Test
  void aKeepThatItsOwnerMayHaveEndedWasNotLostByUs() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_000).api.patch(OWNER, trainer, annotations("\"fallow.dev/keep-until\":\"x\""));
    run.keeps.add(keep(trainer, 3_001, 9_000));
    run.at(3_400).api.patchInDoubt(OWNER, trainer, annotations("\"fallow.dev/keep-until\":null"));
    run.at(3_500).api.patch(US, trainer, annotations("\"fallow.dev/intent\":\"{}\""));
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void anOlderDoubtDoesNotExcuseAKeepThatIsLost() {
    ObjectRef trainer = run.idle("trainer");
    run.at(2_000).api.patchInDoubt(OWNER, trainer, annotations("\"fallow.dev/keep-until\":null"));
    run.at(3_000).api.patch(OWNER, trainer, annotations("\"fallow.dev/keep-until\":\"x\""));
    run.keeps.add(keep(trainer, 3_001, 9_000));
    run.at(3_500).api.patch(US, trainer, annotations("\"fallow.dev/keep-until\":null"));
    assertThat(run.broken()).containsExactly("I4");
  }

  private static KeepRequest keep(ObjectRef object, long from, long until) {
    return new KeepRequest(object, time(from - 1), time(from), 200, time(until), time(until));
  }

  // I5

  @Test
  void moreThanANamespacesShareInAnHourBreaksI5() {
    ObjectRef one = run.idle("one");
    ObjectRef two = run.idle("two");
    run.idle("three");
    run.at(1_000).pause(one, "a1");
    run.at(4_599).pause(two, "a2");
    assertThat(run.broken()).containsExactly("I5");
  }

  @Test
  void aShareIsFreeAgainAfterAnHour() {
    ObjectRef one = run.idle("one");
    ObjectRef two = run.idle("two");
    run.at(1_000).pause(one, "a1");
    run.at(4_600).pause(two, "a2");
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void moreThanACyclesBudgetBreaksI5() {
    for (int i = 0; i < 8; i++) {
      run.workload(deployment("ns" + i, "x"), "{\"spec\":{\"replicas\":1}}", List.of());
    }
    for (int i = 0; i < 4; i++) {
      run.at(3_600 + i).pause(deployment("ns" + i, "x"), "a" + i);
    }
    run.end = 3_610;
    run.healed = 3_610;
    assertThat(run.broken()).as("two cycles may touch").isEmpty();
    run.cycles.addAll(List.of(time(0), time(3_600), time(3_602)));
    assertThat(run.broken()).as("two each").isEmpty();
    run.cycles.removeLast();
    assertThat(run.broken()).containsExactly("I5");
    run.cycles.clear();
    run.at(3_609).pause(deployment("ns7", "x"), "a7");
    assertThat(run.broken()).containsExactly("I5");
  }

  // I6

  @Test
  void anOldLeadersWriteAfterItsSuccessorsBreaksI6() {
    ObjectRef one = run.idle("one");
    ObjectRef two = run.busy("two", 0, 9_000);
    run.at(3_500).intend(one, "a1", 1);
    run.at(3_600).intend(two, "b1", 2);
    assertThat(run.broken()).isEmpty();
    run.api.patch(US, one, run.pausePatch(one, "a1", "\"spec\":{\"replicas\":0}", run.before(one)));
    run.record(one, "a1");
    assertThat(run.broken()).containsExactly("I6");
    assertThat(run.check().violations().getFirst().entries()).hasSize(2);
  }

  @Test
  void anOldLeadersWriteOnAnotherObjectThanItsIntentBreaksI6() {
    ObjectRef root = run.idle("one");
    ObjectRef scaler = scalerOf(root);
    ObjectRef two = run.busy("two", 0, 9_000);
    run.at(3_500).intend(root, "a1", 1);
    run.at(3_600).intend(two, "b1", 2);
    assertThat(run.broken()).isEmpty();
    pauseByAnnotation(scaler, "a1", "\"autoscaling.keda.sh/paused-replicas\":\"0\"");
    run.ledger.removeLast();
    run.record(root, "a1");
    assertThat(run.broken()).containsExactly("I6");
    assertThat(run.check().violations().getFirst().entries()).hasSize(2);
  }

  /** The scaler takes the place of its workload among what is known to be true. */
  private ObjectRef scalerOf(ObjectRef root) {
    ObjectRef scaler = new ObjectRef("keda.sh", "scaledobjects", root.namespace(), root.name());
    run.api.create(OWNER, scaler, "{}");
    run.workloads.removeLast();
    run.know(root, List.of(scaler), List.of());
    return scaler;
  }

  @Test
  void aKeepOfWhatIsPausedAtItsScalerIsMetAtOnceOrBreaksI4() {
    ObjectRef root = run.idle("one");
    ObjectRef scaler = scalerOf(root);
    run.keeps.add(new KeepRequest(root, time(3_599), time(3_600), 200, time(9_000), time(9_000)));
    run.at(3_601);
    pauseByAnnotation(scaler, "a1", "\"autoscaling.keda.sh/paused-replicas\":\"0\"");
    run.ledger.clear();
    assertThat(run.broken()).contains("I4");
    run.at(3_602)
        .api
        .patch(
            US,
            scaler,
            "{\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":null}}"
                .formatted(run.api.revision(scaler)));
    assertThat(run.broken()).doesNotContain("I3", "I4", "I6");
  }

  @Test
  void anOldLeadersIntentAfterItsSuccessorsBreaksI6() {
    ObjectRef one = run.busy("one", 0, 9_000);
    ObjectRef two = run.busy("two", 0, 9_000);
    run.at(3_500).intend(one, "a1", 2);
    run.at(3_600).intend(two, "b1", 1);
    assertThat(run.broken()).containsExactly("I6");
  }

  // I7

  @Test
  void touchingWhatIsExemptProtectedUnknownOrOffLimitsBreaksI7() {
    ObjectRef exempt = run.busy("exempt", 0, 9_000);
    run.lastIs(List.of(Span.since(time(0))), true);
    ObjectRef off = run.busy("off", 0, 9_000);
    run.lastIs(List.of(), false);
    ObjectRef says =
        run.workload(
            deployment("ml", "says"),
            "{\"metadata\":{\"annotations\":{\"fallow.dev/exempt\":\"prod\"}},\"spec\":{\"replicas\":1}}",
            List.of());
    ObjectRef system =
        run.workload(deployment("kube-system", "dns"), "{\"spec\":{\"replicas\":1}}", List.of());
    ObjectRef unknown = deployment("ml", "unknown");
    run.api.create(OWNER, unknown, "{\"spec\":{\"replicas\":1}}");
    run.at(3_600);
    for (ObjectRef object : List.of(exempt, off, says, system, unknown)) {
      run.intend(object, "a", 1);
    }
    assertThat(run.broken()).containsExactly("I7");
    assertThat(run.check().violations()).hasSize(5);
  }

  @Test
  void touchingAnExemptNamespaceBreaksI7OnceThatCouldBeKnown() {
    run.api.create(OWNER, ObjectRef.namespace("ml"), "{}");
    ObjectRef trainer = run.busy("trainer", 0, 9_000);
    run.at(3_580)
        .api
        .patch(OWNER, ObjectRef.namespace("ml"), annotations("\"fallow.dev/exempt\":\"x\""));
    run.at(3_600).intend(trainer, "a1", 1);
    assertThat(run.broken()).isEmpty();
    run.at(3_620).intend(trainer, "a2", 1);
    assertThat(run.broken()).containsExactly("I7");
  }

  @Test
  void changingAnythingElseBreaksI7() {
    ObjectRef trainer = run.busy("trainer", 0, 9_000);
    run.at(3_600).api.patch(US, trainer, "{\"spec\":{\"paused\":true}}");
    run.api.patch(US, trainer, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    run.api.scale(US, trainer, 4);
    run.api.delete(US, new ObjectRef("", "pods", "ml", "trainer-1"));
    assertThat(run.broken()).containsExactly("I7");
    assertThat(run.check().violations()).hasSize(4);
  }

  // I8

  @Test
  void pausingInTheDarkBreaksI8() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.dark.add(new Darkness(new Span(time(3_580), time(4_000)), "Prometheus was down"));
    assertThat(run.broken()).as("seen before it went down").isEmpty();
    run.dark.add(new Darkness(new Span(time(3_500), time(4_000)), "Prometheus was down"));
    assertThat(run.broken()).containsExactly("I8");
  }

  // I9

  @Test
  void aWriteThatChangesNothingBreaksI9() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.api.patch(US, trainer, annotations("\"fallow.dev/intent\":null"));
    assertThat(run.broken()).containsExactly("I9");
  }

  @Test
  void pausingOrIntendingWhatIsStoppedBreaksI9() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.at(3_700).intend(trainer, "a2", 1);
    assertThat(run.broken()).containsExactly("I9");
  }

  // I10

  @Test
  void leavingIdleWorkloadsUpAfterTheFaultsBreaksI10() {
    run.idle("trainer");
    run.healed = 3_600;
    run.end = 3_600 + 150;
    assertThat(run.broken()).as("two cycles have not passed").isEmpty();
    run.end = 3_600 + 151;
    assertThat(run.broken()).containsExactly("I10");
  }

  @Test
  void whatMayNotBePausedYetBreaksNothing() {
    ObjectRef kept = run.idle("kept");
    run.keeps.add(keep(kept, 100, 7_100));
    run.busy("busy-lately", 0, 6_800);
    run.idle("exempt");
    run.lastIs(List.of(Span.since(time(0))), true);
    ObjectRef scaled = run.idle("scaled");
    run.at(7_000).api.scale(OWNER, scaled, 5);
    run.healed = 3_600;
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void whatIsBroughtBackToTidyUpNeedNotBePausedAgain() {
    ObjectRef trainer = run.idle("trainer");
    run.healed = 3_500;
    run.at(3_600).pause(trainer, "a1");
    run.at(3_700).resume(trainer, "\"spec\":{\"replicas\":3}");
    assertThat(run.broken()).as("left to itself until the end").containsExactly("I10");
    run.rested = 3_699;
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void aSpentBudgetExcusesWhatIsStillUp() {
    ObjectRef one = run.idle("one");
    run.idle("two");
    run.at(6_000).pause(one, "a1");
    run.healed = 3_600;
    assertThat(run.broken()).isEmpty();
    run.end = 6_000 + 3_601;
    assertThat(run.broken()).containsExactly("I10");
  }

  // I11

  @Test
  void aPauseWithoutARevisionBreaksI11() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).intend(trainer, "a1", 1);
    String patch = run.pausePatch(trainer, "a1", "\"spec\":{\"replicas\":0}", run.before(trainer));
    run.api.patch(
        US,
        trainer,
        patch.replaceFirst("\"resourceVersion\":\"\\d+\"", "\"resourceVersion\":\"0\""));
    run.record(trainer, "a1");
    assertThat(run.broken()).containsExactly("I11");
  }

  @Test
  void aGuardedPauseThatComesSecondIsRefusedAndBreaksNothing() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600);
    String patch = run.pausePatch(trainer, "a1", "\"spec\":{\"replicas\":0}", run.before(trainer));
    run.api.scale(OWNER, trainer, 9);
    assertThat(run.api.patch(US, trainer, patch)).isEqualTo(409);
    run.end = 3_700;
    assertThat(run.broken()).isEmpty();
    assertThat(run.check().pauses()).isZero();
  }

  @Test
  void pausingAgainWhatItsOwnerHasBroughtBackBreaksI11ForAWindow() {
    ObjectRef trainer = run.idle("trainer");
    run.at(1_000).pause(trainer, "a1");
    run.at(4_700).api.scale(OWNER, trainer, 3);
    run.at(4_700 + Duration.ofMinutes(10).toSeconds() - 1).pause(trainer, "a2");
    assertThat(run.broken()).containsExactly("I11");
  }

  // I12

  @Test
  void aResumeToAnotherCountBreaksI12() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.at(7_100).resume(trainer, "\"spec\":{\"replicas\":2}");
    run.keeps.add(keep(trainer, 7_101, 9_000));
    assertThat(run.broken()).containsExactly("I12");
    assertThat(run.check().violations().getFirst().sentence()).contains("spec replicas");
  }

  @Test
  void aCountThatWasAbsentMustBeAbsentAgain() {
    ObjectRef rollout = new ObjectRef("argoproj.io", "rollouts", "ml", "x");
    run.workload(rollout, "{\"spec\":{\"a\":1}}", List.of());
    run.keeps.add(keep(rollout, 7_101, 9_000));
    run.at(3_600).pause(rollout, "a1");
    run.at(7_100).resume(rollout, "\"spec\":{\"replicas\":null}");
    assertThat(run.broken()).isEmpty();
  }

  @Test
  void aResumeThatBringsBackOneWhereNothingWasBreaksI12() {
    ObjectRef rollout = new ObjectRef("argoproj.io", "rollouts", "ml", "x");
    run.workload(rollout, "{\"spec\":{\"a\":1}}", List.of());
    run.keeps.add(keep(rollout, 7_101, 9_000));
    run.at(3_600).pause(rollout, "a1");
    run.at(7_100).resume(rollout, "\"spec\":{\"replicas\":1}");
    assertThat(run.broken()).containsExactly("I12");
  }

  @Test
  void aResumeThatLeavesMarksBreaksI12() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.at(7_100)
        .api
        .patch(
            US,
            trainer,
            "{\"metadata\":{\"resourceVersion\":\"%s\"},\"spec\":{\"replicas\":3}}"
                .formatted(run.api.revision(trainer)));
    run.keeps.add(keep(trainer, 7_101, 9_000));
    assertThat(run.broken()).containsExactly("I12");
  }

  @Test
  void whatOthersChangedWhilePausedIsTheirs() {
    ObjectRef trainer = run.idle("trainer");
    run.at(3_600).pause(trainer, "a1");
    run.at(3_700)
        .api
        .patch(
            OWNER, trainer, "{\"metadata\":{\"labels\":{\"x\":\"y\"}},\"spec\":{\"paused\":true}}");
    run.at(7_100).resume(trainer, THREE);
    run.keeps.add(keep(trainer, 7_101, 9_000));
    assertThat(run.broken()).isEmpty();
  }
}
