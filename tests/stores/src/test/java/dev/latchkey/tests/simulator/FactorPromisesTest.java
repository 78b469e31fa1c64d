package dev.latchkey.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Histories that break a promise about keys and codes, each beside a correct history. */
class FactorPromisesTest {

    private static final Duration SEEN_WITHIN = Duration.ofSeconds(1);
    private static final Setting SETTING =
            new Setting(2, 2, false, false, true, false, 2, false, SEEN_WITHIN, Duration.ofMinutes(3), 0, 0, 0, 0);

    private final List<Op> ops = new ArrayList<>();
    private int number;

    private Op begun(Op.Kind kind, String node, @Nullable String token) {
        Op op = new Op(
                kind, new Op.At(node, 0, "shop", Instant.EPOCH), "ada", null, token, ops.size() * 1_000L, ++number);
        ops.add(op);
        return op;
    }

    private Op ended(Op op, Op.Result result) {
        op.end = ++number;
        op.endNanos = op.startNanos + 500;
        op.result = result;
        return op;
    }

    private Op op(Op.Kind kind, String node, @Nullable String token, Op.Result result) {
        return ended(begun(kind, node, token), result);
    }

    private void issued(String id) {
        op(Op.Kind.ISSUE_KEY, "n0", null, Op.Result.DONE).answer = id;
    }

    private List<String> broken() {
        return Promises.brokenBy(new History(SETTING, ops, List.of(), List.of(), List.of(), session -> false));
    }

    @Test
    void keyAboveTheBound_isFound_andNoneAtTheBound() {
        issued("a");
        issued("b");
        assertThat(broken()).isEmpty();
        op(Op.Kind.REVOKE_KEY, "n1", "a", Op.Result.OUTAGE);
        issued("c");
        assertThat(broken()).isEmpty();
        issued("d");
        assertThat(broken()).singleElement().asString().startsWith("an account has no more than 2 keys");
    }

    @Test
    void listAboveTheBound_isFound() {
        Op list = op(Op.Kind.LIST_KEYS, "n0", null, Op.Result.DONE);
        list.ids.addAll(List.of("a", "b"));
        assertThat(broken()).isEmpty();
        list.ids.add("c");
        assertThat(broken()).singleElement().asString().startsWith("an account has no more than 2 keys");
    }

    @Test
    void refusalBelowTheBound_isFound_andNoneWhereACallMayHaveTakenThePlace() {
        issued("a");
        Op uncertain = op(Op.Kind.ISSUE_KEY, "n1", null, Op.Result.OUTAGE);
        op(Op.Kind.ISSUE_KEY, "n0", null, Op.Result.REFUSED);
        assertThat(broken()).isEmpty();
        uncertain.result = Op.Result.REFUSED;
        assertThat(broken()).hasSize(2).allSatisfy(each -> assertThat(each).startsWith("an account may have 2 keys"));
    }

    @Test
    void refusalAfterARevocation_isFound_andNoneDuringTheRevocation() {
        issued("a");
        issued("b");
        Op revocation = begun(Op.Kind.REVOKE_KEY, "n1", "b");
        Op refused = begun(Op.Kind.ISSUE_KEY, "n0", null);
        ended(revocation, Op.Result.DONE);
        ended(refused, Op.Result.REFUSED);
        assertThat(broken()).isEmpty();
        op(Op.Kind.ISSUE_KEY, "n0", null, Op.Result.REFUSED);
        assertThat(broken()).hasSize(1);
    }

    @Test
    void revokedKeyThatWorks_isFound_atOnceOnTheSameNode_andAfterTheDelayOnAnother() {
        issued("a");
        op(Op.Kind.REVOKE_KEY, "n1", "a", Op.Result.DONE);
        op(Op.Kind.USE_KEY, "n0", "a", Op.Result.DONE);
        assertThat(broken()).isEmpty();
        op(Op.Kind.USE_KEY, "n1", "a", Op.Result.DONE);
        assertThat(broken()).singleElement().asString().startsWith("a revoked key is refused");
    }

    @Test
    void keyThatIsRefusedWithoutARevocation_isFound() {
        issued("a");
        Op use = op(Op.Kind.USE_KEY, "n1", "a", Op.Result.REFUSED);
        assertThat(broken()).singleElement().asString().startsWith("an issued key works");
        use.result = Op.Result.OUTAGE;
        assertThat(broken()).isEmpty();
    }

    @Test
    void codeThatWorksTwice_isFound() {
        op(Op.Kind.USE_CODE, "n0", "r1", Op.Result.DONE);
        op(Op.Kind.USE_CODE, "n1", "r2", Op.Result.DONE);
        Op second = op(Op.Kind.USE_CODE, "n1", "r1", Op.Result.REFUSED);
        assertThat(broken()).isEmpty();
        second.result = Op.Result.DONE;
        assertThat(broken()).singleElement().asString().startsWith("a code works once");
    }

    @Test
    void recoveryCodeThatIsRefusedUnused_isFound_andNoneAfterAnOutage() {
        Op first = op(Op.Kind.USE_CODE, "n0", "r1", Op.Result.OUTAGE);
        op(Op.Kind.USE_CODE, "n1", "r1", Op.Result.REFUSED);
        op(Op.Kind.USE_CODE, "n1", "step 7", Op.Result.REFUSED);
        assertThat(broken()).isEmpty();
        first.result = Op.Result.REFUSED;
        assertThat(broken())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each).startsWith("an unused recovery code works"));
    }

    @Test
    void codeOfARemovedEnrolment_thatWorks_isFound_andNoCodeOfTheNext() {
        op(Op.Kind.ENROL, "n0", null, Op.Result.DONE).ids.add("r1");
        Op removal = op(Op.Kind.REMOVE_CODES, "n1", null, Op.Result.DONE);
        op(Op.Kind.ENROL, "n0", null, Op.Result.DONE).ids.add("r2");
        op(Op.Kind.USE_CODE, "n0", "r1", Op.Result.REFUSED);
        op(Op.Kind.USE_CODE, "n0", "r2", Op.Result.DONE);
        op(Op.Kind.USE_CODE, "n0", "step 7", Op.Result.DONE);
        assertThat(broken()).isEmpty();
        removal.result = Op.Result.OUTAGE;
        assertThat(broken()).isEmpty();
        removal.result = Op.Result.DONE;
        op(Op.Kind.USE_CODE, "n1", "r1", Op.Result.DONE);
        assertThat(broken()).singleElement().asString().startsWith("a code of a removed enrolment is refused");
    }
}
