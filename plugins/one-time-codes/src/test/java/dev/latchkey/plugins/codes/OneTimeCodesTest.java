package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What codes are worth, and for how long, on each store. */
class OneTimeCodesTest {

    private static final Duration STEP = CodeSecret.STEP;
    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();

    static Stream<Named<CodeStore>> stores() {
        return Databases.stores();
    }

    private OneTimeCodes codesIn(CodeStore store) {
        return OneTimeCodes.of(store, KEYS, "Example").withClock(clock);
    }

    private Phone begin(OneTimeCodes codes) {
        return Phone.of(codes.begin("ada").orElseThrow(), clock);
    }

    /** Enrolled a step ago, so that the code of now is still good. */
    private Phone enrol(OneTimeCodes codes) {
        Phone phone = begin(codes);
        assertThat(codes.confirm("ada", phone.secretCode())).isPresent();
        clock.move(STEP);
        return phone;
    }

    private List<Secret> recoveryCodes(OneTimeCodes codes) {
        Phone phone = begin(codes);
        return codes.confirm("ada", phone.secretCode()).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void enrolment_isConfirmedWithACode_andAsksNobodyBefore(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = begin(codes);
        assertThat(codes.isEnrolled("ada")).isFalse();
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
        assertThat(codes.confirm("ada", Secret.of(phone.wrongCode()))).isEmpty();
        assertThat(codes.isEnrolled("ada")).isFalse();
        assertThat(codes.confirm("ada", phone.secretCode())).isPresent();
        assertThat(codes.isEnrolled("ada")).isTrue();
        assertThat(codes.isEnrolled("bob")).isFalse();
        clock.move(STEP);
        assertThat(codes.use("ada", phone.secretCode())).isTrue();
    }

    /** The table compares names exactly, whichever collation the database has. */
    @ParameterizedTest
    @MethodSource("stores")
    void otherSpellingsOfAName_areOtherAccounts(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = enrol(codes);
        assertThat(List.of("ADA", " Ada", "ada ", "\uFF41da")).noneMatch(codes::isEnrolled);
        assertThat(codes.use("ADA", phone.secretCode())).isFalse();
        assertThat(codes.remove("ADA")).isFalse();
        assertThat(codes.use("ada", phone.secretCode())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void code_isGoodOnce_andEarlierOnesAreNotGoodAfterIt(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = enrol(codes);
        assertThat(codes.use("ada", Secret.of(phone.codeIn(STEP)))).isTrue();
        assertThat(codes.use("ada", Secret.of(phone.codeIn(STEP)))).isFalse();
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
        clock.move(STEP.multipliedBy(2));
        assertThat(codes.use("ada", phone.secretCode())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void codeThatConfirmed_isUsedUp(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = begin(codes);
        assertThat(codes.confirm("ada", phone.secretCode())).isPresent();
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void clockThatIsSetBack_makesNoCodeGoodAgain(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = enrol(codes);
        String used = phone.code();
        assertThat(codes.use("ada", Secret.of(used))).isTrue();
        clock.move(STEP.multipliedBy(-1));
        assertThat(codes.use("ada", Secret.of(used))).isFalse();
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
        clock.move(STEP.multipliedBy(2));
        assertThat(codes.use("ada", phone.secretCode())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void twoRequestsWithOneCode_letOneIn(CodeStore store) throws Exception {
        OneTimeCodes codes = codesIn(store);
        Phone phone = begin(codes);
        Secret recovery = codes.confirm("ada", phone.secretCode()).orElseThrow().get(0);
        for (int i = 0; i < 5; i++) {
            clock.move(STEP);
            assertThat(atOnce(codes, phone.secretCode())).isEqualTo(1);
        }
        assertThat(atOnce(codes, recovery)).isEqualTo(1);
    }

    private static int atOnce(OneTimeCodes codes, Secret code) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(4);
        try {
            Callable<Boolean> login = () -> {
                start.countDown();
                start.await();
                return codes.use("ada", code);
            };
            int letIn = 0;
            for (Future<Boolean> result : threads.invokeAll(List.of(login, login, login, login))) {
                letIn += result.get() ? 1 : 0;
            }
            return letIn;
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void recoveryCodes_areTen_eachGoodOnce(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        List<Secret> recovery = recoveryCodes(codes);
        assertThat(recovery).hasSize(10);
        assertThat(new HashSet<>(texts(recovery))).hasSize(10);
        assertThat(codes.recoveryCodesLeft("ada")).isEqualTo(10);
        for (Secret code : recovery) {
            assertThat(codes.use("ada", code)).isTrue();
            assertThat(codes.use("ada", code)).isFalse();
        }
        assertThat(codes.recoveryCodesLeft("ada")).isZero();
        assertThat(codes.isEnrolled("ada")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void newEnrolment_replacesTheOldOne_onceItIsConfirmed(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone old = begin(codes);
        Secret oldRecovery =
                codes.confirm("ada", old.secretCode()).orElseThrow().get(0);
        clock.move(STEP);
        assertThat(codes.begin("ada")).as("without a code").isEmpty();
        Phone next = Phone.of(OwnCodesTest.beginAnew(codes, "ada").orElseThrow(), clock);
        assertThat(codes.use("ada", next.secretCode())).isFalse();
        assertThat(codes.use("ada", old.secretCode())).isTrue();
        assertThat(codes.confirm("ada", next.secretCode())).isPresent();
        clock.move(STEP);
        assertThat(codes.use("ada", old.secretCode())).isFalse();
        assertThat(codes.use("ada", oldRecovery)).isFalse();
        assertThat(codes.use("ada", next.secretCode())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void pendingEnrolment_isOverAfterAQuarterOfAnHour_andAfterFiveWrongCodes(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone slow = begin(codes);
        clock.move(Duration.ofMinutes(15));
        assertThat(codes.confirm("ada", slow.secretCode())).isEmpty();
        Phone late = begin(codes);
        clock.move(Duration.ofMinutes(15).minusSeconds(1));
        assertThat(codes.confirm("ada", late.secretCode())).isPresent();
        codes.remove("ada");
        Phone guessed = begin(codes);
        for (int i = 0; i < 5; i++) {
            assertThat(codes.confirm("ada", Secret.of(guessed.wrongCode()))).isEmpty();
        }
        assertThat(codes.confirm("ada", guessed.secretCode())).isEmpty();
        Phone again = begin(codes);
        for (int i = 0; i < 4; i++) {
            codes.confirm("ada", Secret.of(again.wrongCode()));
        }
        assertThat(codes.confirm("ada", again.secretCode())).isPresent();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void secondBeginning_endsTheFirst_andLeavesCodesInUseAlone(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone first = begin(codes);
        Phone second = begin(codes);
        assertThat(codes.confirm("ada", first.secretCode())).isEmpty();
        assertThat(codes.confirm("ada", second.secretCode())).isPresent();
        assertThat(codes.confirm("ada", Secret.of(second.codeIn(STEP))))
                .as("nothing is pending")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void removedAccount_isNotAsked(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = enrol(codes);
        assertThat(codes.remove("ada")).isTrue();
        assertThat(codes.isEnrolled("ada")).isFalse();
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
        assertThat(codes.remove("ada")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void rowOfAnotherAccount_letsNobodyIn(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone thiefs = Phone.of(codes.begin("thief").orElseThrow(), clock);
        List<Secret> recovery = codes.confirm("thief", thiefs.secretCode()).orElseThrow();
        clock.move(STEP);
        store.insert("ada", store.find("thief").orElseThrow());
        assertThat(codes.isEnrolled("ada")).isTrue();
        for (Secret code : List.of(thiefs.secretCode(), recovery.get(0))) {
            assertThatThrownBy(() -> codes.use("ada", code)).isInstanceOf(AuthUnavailableException.class);
        }
        assertThat(codes.use("thief", thiefs.secretCode())).isTrue();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void pendingSecret_isNoneInUse_whoeverMovesIt(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Phone phone = begin(codes);
        StoredCodes stored = store.find("ada").orElseThrow();
        store.update(
                "ada",
                stored.revision(),
                stored.withSecret(Optional.ofNullable(stored.pending()).orElseThrow()));
        assertThatThrownBy(() -> codes.use("ada", phone.secretCode())).isInstanceOf(AuthUnavailableException.class);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void store_holdsNothingThatCanBeUsed(CodeStore store) {
        OneTimeCodes codes = codesIn(store);
        Enrolment enrolment = codes.begin("ada").orElseThrow();
        StoredCodes pending = store.find("ada").orElseThrow();
        List<Secret> recovery =
                codes.confirm("ada", Phone.of(enrolment, clock).secretCode()).orElseThrow();
        StoredCodes inUse = store.find("ada").orElseThrow();
        List<String> secrets = new ArrayList<>(texts(recovery));
        texts(recovery).forEach(text -> secrets.add(text.replace("-", "")));
        secrets.add(enrolment.key().withText(CharSequence::toString));
        String all = pending.pending() + inUse.secret() + inUse.recovery();
        assertThat(all).doesNotContain(secrets.toArray(String[]::new));
        assertThat(inUse.pending()).isNull();
        assertThat(inUse).hasToString("StoredCodes[enrolled=true, pending=false, recovery=10, devices=0]");
    }

    @ParameterizedTest
    @MethodSource("stores")
    void rotatedKey_takesOverWithTheNextLogin_orWhenAskedTo(CodeStore store) {
        OneTimeCodes before = codesIn(store);
        Phone phone = begin(before);
        List<Secret> recovery = before.confirm("ada", phone.secretCode()).orElseThrow();
        byte[] other = new byte[32];
        other[0] = 1;
        SecretKeys rotated = SecretKeys.of(Secret.of(other), Secret.of(new byte[32]));
        OneTimeCodes during = OneTimeCodes.of(store, rotated, "Example").withClock(clock);
        OneTimeCodes after = OneTimeCodes.of(store, SecretKeys.of(Secret.of(other)), "Example")
                .withClock(clock);
        clock.move(STEP);
        assertThatThrownBy(() -> after.use("ada", phone.secretCode())).isInstanceOf(AuthUnavailableException.class);
        assertThat(during.use("ada", phone.secretCode())).isTrue();
        clock.move(STEP);
        assertThat(after.use("ada", phone.secretCode())).isTrue();
        assertThat(after.use("ada", recovery.get(0))).isTrue();
        OneTimeCodes back = OneTimeCodes.of(store, SecretKeys.of(Secret.of(new byte[32]), Secret.of(other)), "Example");
        back.reseal("ada");
        back.reseal("ada");
        back.reseal("nobody");
        clock.move(STEP);
        assertThat(before.use("ada", phone.secretCode())).isTrue();
    }

    @Test
    void malformedCode_isWrong() {
        OneTimeCodes codes = codesIn(new InMemoryCodeStore());
        Phone phone = enrol(codes);
        for (String text : List.of("", "0", "x".repeat(10_000), "\0", "ABCD-ABCD-ABCD-ABCD", phone.wrongCode())) {
            assertThat(codes.use("ada", Secret.of(text))).isFalse();
            assertThat(codes.use("nobody", Secret.of(text))).isFalse();
        }
        assertThat(codes.use("ada", Secret.of(new byte[] {-1, -2}))).isFalse();
        String spaced = phone.code().substring(0, 3) + " " + phone.code().substring(3);
        assertThat(codes.use("ada", Secret.of(spaced))).isTrue();
    }

    /** Otherwise a store with ever losing writes would be asked for ever, or a login would succeed. */
    @Test
    void storeThatNeverTakesAWrite_isAnOutage() {
        InMemoryCodeStore store = new InMemoryCodeStore();
        Phone phone = enrol(codesIn(store));
        CodeStore stubborn = new FakeStores.Stubborn(store);
        assertThatThrownBy(() -> codesIn(stubborn).use("ada", phone.secretCode()))
                .isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void algorithm_isThatOfTheEnrolment() {
        InMemoryCodeStore store = new InMemoryCodeStore();
        Phone phone = enrol(codesIn(store));
        assertThat(codesIn(store).withAlgorithm(CodeAlgorithm.SHA512).use("ada", phone.secretCode()))
                .isTrue();
        Enrolment other =
                codesIn(store).withAlgorithm(CodeAlgorithm.SHA512).begin("bob").orElseThrow();
        assertThat(other.uri().withText(CharSequence::toString)).contains("&algorithm=SHA512&");
    }

    @Test
    void issuerThatAppsWouldMisread_isRefused() {
        assertThatThrownBy(() -> OneTimeCodes.of(new InMemoryCodeStore(), KEYS, "a:b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("An issuer has 1 to 64 characters");
    }

    private static List<String> texts(List<Secret> secrets) {
        return secrets.stream()
                .map(each -> each.<String>withText(CharSequence::toString))
                .toList();
    }
}
