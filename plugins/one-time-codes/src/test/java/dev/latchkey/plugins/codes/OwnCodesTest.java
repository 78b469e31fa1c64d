package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.LoginGate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bearer of a session manages codes; a thief of the session cannot. */
class OwnCodesTest {

    private static final Map<String, Secret> NO_CODE = Map.of();

    private final SetClock clock = new SetClock();
    private final InMemoryCodeStore store = new InMemoryCodeStore();
    private final OneTimeCodes codes = OneTimeCodes.of(store, SecretKeys.of(Secret.of(new byte[32])), "Example")
            .withClock(clock);
    private final AuthChain chain = AuthChain.of(new Passwords(), new OneTimeCodesPlugin(codes));
    private final OwnCodes own = new OwnCodes(chain, codes);

    /** Everybody's password is {@code right}. */
    private static final class Passwords implements LoginSource<PasswordCredentials> {

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public boolean hasStoredNames() {
            return true;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return given.password().matches(Secret.of("right"))
                    ? Authenticated.as(Subject.of(given.username()))
                    : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }
    }

    private static PasswordCredentials password(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }

    private static Map<String, Secret> response(Secret code) {
        return Map.of(ChallengeResponse.CODE, code);
    }

    private Optional<Enrolment> begin(String password, Map<String, Secret> code) {
        return own.begin("ada", password("ada", password), code, RequestContext.none());
    }

    /** As after a proof with a code. */
    static Optional<Enrolment> beginAnew(OneTimeCodes codes, String account) {
        return codes.begin(account, new PendingSecret.Proof(Secret.of(new byte[32]), Set.of(Factors.ONE_TIME_CODE)));
    }

    private Phone enrol() {
        Phone phone = Phone.of(begin("right", NO_CODE).orElseThrow(), clock);
        assertThat(own.confirm("ada", phone.secretCode(), RequestContext.none()))
                .isPresent();
        clock.move(CodeSecret.STEP);
        return phone;
    }

    @Test
    void thiefOfASession_enrolsNothing_andMakesNothingPending() {
        assertThat(begin("guessed", NO_CODE)).isEmpty();
        assertThat(own.begin("ada", password("thief", "right"), NO_CODE, RequestContext.none()))
                .as("the thief's own password")
                .isEmpty();
        assertThat(store.find("ada")).isEmpty();
    }

    @Test
    void confirmation_tellsTheGateOfTheLoginThatBeganIt_once_andAfterNoWrongCode() {
        List<String> added = new ArrayList<>();
        OwnCodes gated = new OwnCodes(chain.withGate(telling(added)), codes);
        Phone phone = Phone.of(
                gated.begin("ada", password("ada", "right"), NO_CODE, RequestContext.none())
                        .orElseThrow(),
                clock);
        gated.begin("ada", password("thief", "right"), NO_CODE, RequestContext.none());
        assertThat(gated.confirm("ada", Secret.of(phone.wrongCode()), RequestContext.none()))
                .isEmpty();
        assertThat(added).isEmpty();
        assertThat(gated.confirm("ada", phone.secretCode(), RequestContext.none()))
                .isPresent();
        assertThat(gated.confirm("ada", phone.secretCode(), RequestContext.none()))
                .isEmpty();
        assertThat(added).containsExactly("ada");
    }

    /** Keeps the accounts with an added step. */
    private static LoginGate telling(List<String> added) {
        return new LoginGate() {
            @Override
            public Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision) {
                return decision.get();
            }

            @Override
            public Verdict decide(
                    Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
                Verdict verdict = decision.get();
                if (verdict instanceof Authenticated) {
                    whenAdded.accept(() -> added.add(account));
                }
                return verdict;
            }
        };
    }

    @Test
    void thiefOfASessionAndThePassword_doesNotReplaceTheOwnersPhone_norTakeTheStepAway() {
        Phone phone = enrol();
        for (Map<String, Secret> code :
                List.of(NO_CODE, response(Secret.of("")), response(Secret.of(phone.wrongCode())))) {
            assertThat(begin("right", code)).isEmpty();
            assertThat(own.disable("ada", password("ada", "right"), code, RequestContext.none()))
                    .isFalse();
        }
        assertThat(codes.isEnrolled("ada")).isTrue();
        assertThat(codes.use("ada", phone.secretCode())).isTrue();
    }

    @Test
    void owner_replacesThePhone_andTakesTheStepAway_withACode() {
        Phone old = enrol();
        Phone next = Phone.of(begin("right", response(old.secretCode())).orElseThrow(), clock);
        assertThat(own.confirm("ada", next.secretCode(), RequestContext.none())).isPresent();
        clock.move(CodeSecret.STEP);
        assertThat(own.disable("ada", password("ada", "right"), response(old.secretCode()), RequestContext.none()))
                .isFalse();
        assertThat(own.disable("ada", password("ada", "wrong"), response(next.secretCode()), RequestContext.none()))
                .isFalse();
        assertThat(own.disable("ada", password("ada", "right"), response(next.secretCode()), RequestContext.none()))
                .isTrue();
        assertThat(chain.authenticate(password("ada", "right"))).isInstanceOf(Authenticated.class);
    }

    @Test
    void codeForANewEnrolment_isGoodForNothingElse() {
        Phone phone = enrol();
        assertThat(begin("right", response(phone.secretCode()))).isPresent();
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
    }

    @Test
    void accountThatHasNothing_hasNothingToDisable() {
        assertThat(own.disable("ada", password("ada", "right"), NO_CODE, RequestContext.none()))
                .isFalse();
    }

    /** Another request confirms in between: the password alone is not enough any more. */
    @Test
    void accountThatEnrolsMeanwhile_isNotEnrolledAnewWithoutACode() {
        Phone phone = Phone.of(codes.begin("ada").orElseThrow(), clock);
        LoginStep confirming = new LoginStep() {
            @Override
            public String name() {
                return "confirming";
            }

            @Override
            public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                codes.confirm("ada", phone.secretCode());
                return Optional.empty();
            }

            @Override
            public StepResult answer(ChallengeResponse response, RequestContext context) {
                throw new AssertionError("asked for nothing");
            }
        };
        AuthChain chain = AuthChain.of(new Passwords(), new OneTimeCodesPlugin(codes), confirming);
        PasswordCredentials login = password("ada", "right");
        assertThat(new OwnCodes(chain, codes).begin("ada", login, NO_CODE, RequestContext.none()))
                .isEmpty();
        assertThat(codes.isEnrolled("ada")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hashThatChangesAfterTheProof_isForgivenOnlyWithTheRightPassword(boolean isUpgrade) {
        AuthChain chain = AuthChain.of(new ChangingPasswords(isUpgrade), new OneTimeCodesPlugin(codes));
        assertThat(new OwnCodes(chain, codes).begin("ada", password("ada", "right"), NO_CODE, RequestContext.none()))
                .matches(enrolment -> enrolment.isPresent() == isUpgrade);
    }

    /** The account has another hash right after the first login; the password is another one, too, unless the login upgrades the hash. */
    private record ChangingPasswords(boolean isUpgrade, AtomicInteger logins)
            implements LoginSource<PasswordCredentials> {

        ChangingPasswords(boolean isUpgrade) {
            this(isUpgrade, new AtomicInteger());
        }

        @Override
        public String name() {
            return "passwords";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            if (logins.getAndIncrement() == 0) {
                return login(given.username(), "old hash");
            }
            return isUpgrade ? login(given.username(), "new hash") : Rejected.because(RejectionReason.BAD_CREDENTIALS);
        }

        @Override
        public Optional<Verdict> account(String name) {
            return name.equals("ada") ? Optional.of(login(name, "new hash")) : Optional.empty();
        }

        private static Authenticated login(String name, String hash) {
            return Authenticated.as(Subject.of(name)).withStamp(Secret.of(hash));
        }
    }

    /** A chain without codes proves no account with codes. */
    @Test
    void chainWithoutThePlugin_changesNothingOfWhoHasEnrolled() {
        enrol();
        OwnCodes careless = new OwnCodes(AuthChain.of(new Passwords()), codes);
        PasswordCredentials login = password("ada", "right");
        assertThat(careless.begin("ada", login, NO_CODE, RequestContext.none())).isEmpty();
        assertThat(careless.disable("ada", login, NO_CODE, RequestContext.none()))
                .isFalse();
        assertThat(codes.isEnrolled("ada")).isTrue();
    }

    @Test
    void outageOfTheStore_letsNobodyInWithoutTheStep() {
        OneTimeCodes down = OneTimeCodes.of(new FakeStores.Down(), SecretKeys.of(Secret.of(new byte[32])), "Example");
        AuthChain chain = AuthChain.of(new Passwords(), new OneTimeCodesPlugin(down));
        assertThatThrownBy(() -> chain.authenticate(password("ada", "right")))
                .isInstanceOf(AuthUnavailableException.class);
        assertThat(chain.authenticate(password("ada", "wrong")))
                .as("who does not know the password learns nothing of codes")
                .isInstanceOf(Rejected.class);
    }
}
