package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.StoreRevoker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An account that changes between the begin of an enrolment and its confirmation. */
class ChangedAccountsTest {

    private static final PasswordCredentials LOGIN = new PasswordCredentials("ada", Secret.of("right"));

    private static final byte[] KEY_OF_THE_OTHER_NODE =
            "another key of thirty-two bytes.".getBytes(StandardCharsets.US_ASCII);

    private final SetClock clock = new SetClock();
    private final FakeStores.Watched store = new FakeStores.Watched();
    private final OneTimeCodes codes = OneTimeCodes.of(
                    store, SecretKeys.of(Secret.of(new byte[32]), Secret.of(KEY_OF_THE_OTHER_NODE)), "Example")
            .withClock(clock);
    private final Ada ada = new Ada();
    private final AuthChain chain = AuthChain.of(List.of(ada, new OneTimeCodesPlugin(codes)), clock)
            .withRevoker(new StoreRevoker(new InMemoryRevocationStore(Duration.ofHours(1))));
    private final OwnCodes own = new OwnCodes(chain, codes);

    enum Change {
        PASSWORD,
        DISABLED,
        DELETED,
        MADE_ANEW_WITH_THE_SAME_PASSWORD,
        REVOKED,
        STEP_OF_ANOTHER_PLUGIN
    }

    /** The account ada, with a PIN as a second step. */
    private static final class Ada implements LoginSource<PasswordCredentials>, LoginStep {

        private final Authenticated active = Authenticated.as(Subject.of("ada")).withStamp(Secret.of("hash"));

        @Nullable
        private Verdict state = active;

        private boolean hasPin;

        /** Once, at the next question. */
        private Runnable whenAsked = () -> {};

        @Override
        public String name() {
            return "users";
        }

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return active;
        }

        @Override
        public Optional<Verdict> account(String id) {
            Runnable now = whenAsked;
            whenAsked = () -> {};
            now.run();
            return Optional.ofNullable(state);
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return hasPin ? Optional.of(Challenged.by(login, "pin")) : Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }

    private Phone begin() {
        return Phone.of(own.begin("ada", LOGIN, Map.of(), RequestContext.none()).orElseThrow(), clock);
    }

    private Phone next(Phone former) {
        return Phone.of(
                own.begin("ada", LOGIN, Map.of("code", former.secretCode()), RequestContext.none())
                        .orElseThrow(),
                clock);
    }

    private boolean confirm(Phone phone) {
        clock.move(Duration.ofSeconds(2));
        return own.confirm("ada", phone.secretCode(), RequestContext.none()).isPresent();
    }

    private void make(Change change) {
        switch (change) {
            case PASSWORD -> ada.state = ada.active.withStamp(Secret.of("another hash"));
            case DISABLED -> ada.state = Rejected.because(RejectionReason.ACCOUNT_DISABLED);
            case DELETED -> ada.state = null;
            case MADE_ANEW_WITH_THE_SAME_PASSWORD -> ada.state = ada.active.withCreated(clock.instant());
            case REVOKED -> chain.revokeAll("ada", clock.instant());
            case STEP_OF_ANOTHER_PLUGIN -> ada.hasPin = true;
        }
    }

    @ParameterizedTest
    @EnumSource
    void enrolmentThatBeganBefore_isNotConfirmed(Change change) {
        Phone phone = begin();
        make(change);
        store.beforeUpdate = () -> {
            throw new AssertionError("nothing is written");
        };
        assertThat(confirm(phone)).isFalse();
        assertThat(codes.isEnrolled("ada")).isFalse();
    }

    /** After the check of the confirmation, at its write. */
    @ParameterizedTest
    @EnumSource
    void enrolmentDuringTheChange_isNotConfirmed(Change change) {
        Phone phone = begin();
        store.beforeUpdate = () -> make(change);
        assertThat(confirm(phone)).isFalse();
        assertThat(codes.isEnrolled("ada")).isFalse();
        assertThat(codes.recoveryCodesLeft("ada")).isZero();
    }

    /** A revocation may have ended the devices after the write. */
    @Test
    void enrolmentThatIsTakenBack_bringsNoRememberedDeviceBack() {
        Phone former = begin();
        assertThat(confirm(former)).isTrue();
        clock.move(Duration.ofMinutes(1));
        Phone phone = next(former);
        StoredCodes row = store.find("ada").orElseThrow();
        assertThat(store.update(
                        "ada",
                        row.revision(),
                        row.withDevices(List.of("device")).withRevision("next")))
                .isTrue();
        store.beforeUpdate = () -> make(Change.REVOKED);
        assertThat(confirm(phone)).isFalse();
        assertThat(store.find("ada").orElseThrow().devices()).isEmpty();
    }

    /** Another node has the next key already. */
    @Test
    void enrolmentThatIsEncryptedAnewMeanwhile_isTakenBack() {
        OneTimeCodes rotated = OneTimeCodes.of(
                        store, SecretKeys.of(Secret.of(KEY_OF_THE_OTHER_NODE), Secret.of(new byte[32])), "Example")
                .withClock(clock);
        Phone phone = begin();
        store.beforeUpdate = () -> {
            store.beforeUpdate = () -> {};
            ada.whenAsked = () -> {
                rotated.reseal("ada");
                make(Change.PASSWORD);
            };
        };
        assertThat(confirm(phone)).isFalse();
        assertThat(codes.isEnrolled("ada")).isFalse();
    }

    @Test
    void codesThatAreRemovedAfterTheWrite_stayRemoved() {
        Phone phone = begin();
        store.beforeUpdate = () -> ada.whenAsked = () -> {
            codes.remove("ada");
            make(Change.PASSWORD);
        };
        assertThat(confirm(phone)).isFalse();
        assertThat(store.find("ada")).isEmpty();
    }

    @Test
    void codesThatAreEnrolledAnewAfterTheWrite_stay() {
        Phone phone = begin();
        store.beforeUpdate = () -> {
            store.beforeUpdate = () -> {};
            ada.whenAsked = () -> {
                codes.remove("ada");
                Phone another = Phone.of(codes.begin("ada").orElseThrow(), clock);
                assertThat(codes.confirm("ada", another.secretCode())).isPresent();
                make(Change.PASSWORD);
            };
        };
        assertThat(confirm(phone)).isFalse();
        assertThat(codes.isEnrolled("ada")).isTrue();
    }

    @Test
    void newDeviceDuringTheChange_leavesTheFormerDevice() {
        Phone former = begin();
        assertThat(confirm(former)).isTrue();
        clock.move(Duration.ofMinutes(1));
        Phone phone = next(former);
        store.beforeUpdate = () -> make(Change.REVOKED);
        assertThat(confirm(phone)).isFalse();
        clock.move(Duration.ofMinutes(1));
        assertThat(codes.use("ada", phone.secretCode())).isFalse();
        assertThat(codes.use("ada", former.secretCode())).isTrue();
    }

    @Test
    void unchangedAccount_confirms_alsoAfterItsOtherStep() {
        ada.hasPin = true;
        assertThat(confirm(begin())).isTrue();
    }

    /** A service that has verified the owner begins without a proof. */
    @Test
    void enrolmentOfTheService_isConfirmed() {
        Phone phone = Phone.of(codes.begin("ada").orElseThrow(), clock);
        ada.hasPin = true;
        assertThat(confirm(phone)).isTrue();
    }
}
