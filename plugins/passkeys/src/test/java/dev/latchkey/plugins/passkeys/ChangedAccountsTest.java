package dev.latchkey.plugins.passkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.StoreRevoker;
import dev.latchkey.plugins.passkeys.store.JdbcPasskeyStore;
import dev.latchkey.plugins.passkeys.store.StoredPasskey;
import dev.latchkey.testsupport.WatchedDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An account that changes between the begin of a registration and its confirmation. */
@Tag("long")
class ChangedAccountsTest {

    private final DataSource plain = Databases.h2();
    private final WatchedDatabase database = new WatchedDatabase(plain);
    private final Desk desk = new Desk(new JdbcPasskeyStore(database.dataSource()));
    private final Pin pin = new Pin(new HashSet<>());
    private final AuthChain chain = AuthChain.of(List.of(desk.users, desk.plugin, pin), desk.clock)
            .withRevoker(new StoreRevoker(new InMemoryRevocationStore(Duration.ofHours(1))));
    private final OwnPasskeys own = new OwnPasskeys(chain, desk.passkeys);

    enum Change {
        PASSWORD,
        DISABLED,
        DELETED,
        MADE_ANEW_WITH_THE_SAME_PASSWORD,
        REVOKED,
        STEP_OF_ANOTHER_PLUGIN
    }

    /** Asks its owners for a PIN. */
    private record Pin(Set<String> owners) implements LoginStep {

        @Override
        public String name() {
            return "pin";
        }

        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return owners.contains(login.subject().id()) ? Optional.of(Challenged.by(login, "pin")) : Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return Passed.step();
        }
    }

    private Map<String, Secret> begin() {
        desk.users.created = desk.clock.instant().minus(Duration.ofDays(1));
        return new Authenticator()
                .register(own.begin("ada", Desk.ADA, Map.of(), RequestContext.none())
                        .orElseThrow());
    }

    private Optional<Passkey> confirm(Map<String, Secret> made) {
        desk.clock.move(Duration.ofSeconds(2));
        return own.confirm(
                "ada", "key", made.get("attestation_object"), made.get("client_data_json"), RequestContext.none());
    }

    private void make(Change change) {
        switch (change) {
            case PASSWORD -> desk.users.stamp = Secret.of("another hash");
            case DISABLED -> desk.users.disabled.add("ada");
            case DELETED -> desk.users.gone.add("ada");
            case MADE_ANEW_WITH_THE_SAME_PASSWORD -> desk.users.created = desk.clock.instant();
            case REVOKED -> chain.revokeAll("ada", desk.clock.instant());
            case STEP_OF_ANOTHER_PLUGIN -> pin.owners.add("ada");
        }
    }

    @ParameterizedTest
    @EnumSource
    void registrationThatBeganBefore_isNotConfirmed(Change change) {
        Map<String, Secret> made = begin();
        make(change);
        database.beforeInsert(() -> {
            throw new AssertionError("nothing is written");
        });
        assertThat(confirm(made)).isEmpty();
        assertThat(desk.passkeys.list("ada")).isEmpty();
    }

    /** After the checks of the confirmation, at its write. */
    @ParameterizedTest
    @EnumSource
    void registrationDuringTheChange_isNotConfirmed(Change change) {
        Map<String, Secret> made = begin();
        database.beforeInsert(() -> make(change));
        assertThat(confirm(made)).isEmpty();
        assertThat(desk.passkeys.list("ada")).isEmpty();
    }

    @Test
    void storeThatFailsAfterTheWrite_leavesNoPasskey() {
        Map<String, Secret> made = begin();
        database.beforeInsert(() -> desk.users.isDown = true);
        assertThatThrownBy(() -> confirm(made)).isInstanceOf(AuthUnavailableException.class);
        assertThat(desk.passkeys.list("ada")).isEmpty();
    }

    /** The removed passkey may be the thief's, and the proof of the begin. */
    @Test
    void registrationByARemovedPasskey_isNotConfirmed() {
        desk.users.created = desk.clock.instant().minus(Duration.ofDays(1));
        Authenticator first = desk.enrol("ada");
        Map<String, Object> challenge = own.challenge("ada").orElseThrow();
        Map<String, Object> options = own.begin("ada", Desk.ADA, first.sign(challenge), RequestContext.none())
                .orElseThrow();
        desk.passkeys.removeAll("ada");
        assertThat(confirm(new Authenticator().register(options))).isEmpty();
        assertThat(desk.passkeys.list("ada")).isEmpty();
    }

    @Test
    void registrationByAPasskeyThatIsRemovedMeanwhile_isNotConfirmed() {
        desk.users.created = desk.clock.instant().minus(Duration.ofDays(1));
        Authenticator first = desk.enrol("ada");
        Map<String, Object> challenge = own.challenge("ada").orElseThrow();
        Map<String, Object> options = own.begin("ada", Desk.ADA, first.sign(challenge), RequestContext.none())
                .orElseThrow();
        database.beforeInsert(() -> new JdbcPasskeyStore(plain).deleteAll("ada"));
        assertThat(confirm(new Authenticator().register(options))).isEmpty();
        assertThat(desk.passkeys.list("ada")).isEmpty();
    }

    @Test
    void ofTwoFirstPasskeysAtOnce_oneIsRegistered() {
        Map<String, Secret> made = begin();
        database.beforeInsert(this::registerAnother);
        assertThat(confirm(made)).isEmpty();
        assertThat(desk.passkeys.list("ada")).extracting(Passkey::id).containsExactly("other");
    }

    private void registerAnother() {
        new JdbcPasskeyStore(plain)
                .insert(
                        new StoredPasskey(
                                "other",
                                "ada",
                                "users",
                                "aGFuZGxl",
                                "key",
                                "a2V5",
                                5,
                                true,
                                false,
                                Instant.EPOCH,
                                null),
                        1);
    }

    /** The password alone no longer proves the account. */
    @Test
    void firstPasskeyDuringTheBegin_endsTheBegin() {
        assertThat(ownBeside(this::registerAnother).begin("ada", Desk.ADA, Map.of(), RequestContext.none()))
                .isEmpty();
    }

    @Test
    void unchangedAccount_confirms_alsoAfterItsOtherStep() {
        pin.owners.add("ada");
        assertThat(confirm(begin())).isPresent();
    }

    /** The begin would be of the former password, and its state of the new one. */
    @Test
    void passwordThatChangesDuringTheBegin_endsTheBegin() {
        OwnPasskeys changed = ownBeside(() -> {
            desk.users.stamp = Secret.of("another hash");
            desk.users.password = Secret.of("another");
        });
        assertThat(changed.begin("ada", Desk.ADA, Map.of(), RequestContext.none()))
                .isEmpty();
    }

    /** Something happens after the check of the password, when the steps are asked. */
    private OwnPasskeys ownBeside(Runnable change) {
        LoginStep changing = new LoginStep() {
            @Override
            public String name() {
                return "changing";
            }

            @Override
            public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
                change.run();
                return Optional.empty();
            }

            @Override
            public StepResult answer(ChallengeResponse response, RequestContext context) {
                throw new AssertionError("asked for nothing");
            }
        };
        return new OwnPasskeys(AuthChain.of(List.of(desk.users, desk.plugin, changing), desk.clock), desk.passkeys);
    }
}
