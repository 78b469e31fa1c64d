package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way of a user store to name its accounts, with each state of the account {@code Ada}, at each use of the codes. */
class SpellingTableTest {

    private static final RequestContext NOWHERE = RequestContext.none();

    /** How the store names its accounts. The account {@code Ada} is enrolled. */
    enum Naming {
        /** Finds each spelling, and answers with the typed name. */
        TYPED_NAME,
        /** Finds each spelling, and answers with the stored name. */
        ONE_NAME,
        /** Has separate accounts {@code Ada} and {@code ada}. */
        TWINS,
        /** Finds each spelling at a login, and looks no accounts up. */
        NO_LOOK_UPS,
        /** As {@link #TYPED_NAME}, in a source with a prefix. */
        PREFIX;

        List<String> spellings() {
            return this == TWINS ? List.of("Ada") : List.of("Ada", "ADA", "ada");
        }

        String id() {
            return this == PREFIX ? "users:Ada" : "Ada";
        }
    }

    /** The state of the account at the use. */
    enum State {
        ACTIVE,
        DISABLED,
        /** The stored hash is replaced after the next look-up. */
        REPLACED,
        /** Disabled behind a cache of verdicts. */
        CACHED
    }

    private static final class Users implements LoginSource<PasswordCredentials> {

        private final Map<String, String> hashes = new HashMap<>(Map.of("Ada", "hash of Ada", "ada", "hash of ada"));
        private final Set<String> disabled = new HashSet<>();
        private Naming naming;
        private boolean isCached;
        private Runnable afterLookUp = () -> {};

        private Users(Naming naming) {
            this.naming = naming;
        }

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
            return found(given.username(), isCached ? Set.of() : disabled)
                    .map(Decision.class::cast)
                    .orElse(Decision.abstained());
        }

        @Override
        public Optional<Verdict> account(String id) {
            Optional<Verdict> account = naming == Naming.NO_LOOK_UPS ? Optional.empty() : found(id, disabled);
            Runnable now = afterLookUp;
            afterLookUp = () -> {};
            now.run();
            return account;
        }

        private Optional<Verdict> found(String typed, Set<String> barred) {
            String stored = naming != Naming.TWINS && typed.equalsIgnoreCase("ada") ? "Ada" : typed;
            if (barred.contains(stored)) {
                return Optional.of(Rejected.because(RejectionReason.ACCOUNT_DISABLED));
            }
            String id = naming == Naming.ONE_NAME ? stored : typed;
            return Optional.ofNullable(hashes.get(stored))
                    .map(hash -> Authenticated.as(Subject.of(id)).withStamp(Secret.of(hash)));
        }

        private void become(State state) {
            disabled.clear();
            isCached = state == State.CACHED;
            if (state == State.DISABLED || state == State.CACHED) {
                disabled.add("Ada");
            }
            afterLookUp = state == State.REPLACED ? () -> hashes.merge("Ada", ", new", String::concat) : () -> {};
        }
    }

    /** A first source, without any account. */
    private record Nobody(String name) implements LoginSource<PasswordCredentials> {

        @Override
        public Class<PasswordCredentials> kind() {
            return PasswordCredentials.class;
        }

        @Override
        public Decision authenticate(PasswordCredentials given, RequestContext context) {
            return Decision.abstained();
        }
    }

    private final SetClock clock = new SetClock();
    private AuthChain chain = AuthChain.of();
    private final OneTimeCodes codes = OneTimeCodes.of(
                    new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example")
            .withClock(clock)
            .withAccountKeys(id -> chain.decidedLogins().accountKeys(id));
    private final RememberedDevices devices = RememberedDevices.of(codes, Duration.ofDays(30));

    private Users users(Naming naming) {
        Users users = new Users(naming);
        OneTimeCodesPlugin plugin = new OneTimeCodesPlugin(codes).rememberingDevices(devices);
        chain = AuthChain.of(
                naming == Naming.PREFIX ? List.of(new Nobody("first"), users, plugin) : List.of(users, plugin), clock);
        return users;
    }

    private Phone enrol(String id) {
        Phone phone = Phone.of(codes.begin(id).orElseThrow(), clock);
        assertThat(codes.confirm(id, phone.secretCode())).isPresent();
        clock.move(CodeSecret.STEP);
        return phone;
    }

    private Verdict login(String typed) {
        return login(typed, NOWHERE);
    }

    private Verdict login(String typed, RequestContext context) {
        return chain.authenticate(new PasswordCredentials(typed, Secret.of("right")), context);
    }

    private String deviceOf(Phone phone) {
        Challenged challenged = (Challenged) login("Ada");
        Authenticated login =
                (Authenticated) chain.authenticate(new ChallengeResponse(challenged, phone.secretCode()), NOWHERE);
        clock.move(CodeSecret.STEP);
        return chain.decidedLogins()
                .remember(OneTimeCodesPlugin.NAME, login, NOWHERE)
                .map(RememberedDevice::token)
                .orElseThrow()
                .withText(CharSequence::toString);
    }

    private static Stream<Arguments> cells() {
        return Arrays.stream(Naming.values())
                .flatMap(naming -> Arrays.stream(State.values()).map(state -> arguments(naming, state)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void login_needsACode(Naming naming, State state) {
        Users users = users(naming);
        enrol(naming.id());
        for (String typed : naming.spellings()) {
            users.become(state);
            assertThat(login(typed))
                    .as(typed)
                    .isInstanceOf(state == State.DISABLED ? Rejected.class : Challenged.class);
        }
        if (naming == Naming.TWINS) {
            assertThat(login("ada")).isInstanceOf(Authenticated.class);
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void removal_removesTheCodesOfTheAccountAlone(Naming naming, State state) {
        Users users = users(naming);
        enrol(naming.id());
        if (naming == Naming.TWINS) {
            enrol("ada");
        }
        users.become(state);
        assertThat(codes.remove(naming.id())).isTrue();
        users.become(state);
        assertThat(codes.remove(naming.id())).isFalse();
        users.become(State.ACTIVE);
        assertThat(codes.isEnrolled(naming.id())).isFalse();
        assertThat(login("ada")).isInstanceOf(naming == Naming.TWINS ? Challenged.class : Authenticated.class);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void revocation_endsTheDevice(Naming naming, State state) {
        Users users = users(naming);
        RequestContext device = NOWHERE.withHeader(RememberedDevices.HEADER, deviceOf(enrol(naming.id())));
        assertThat(login("Ada", device)).isInstanceOf(Authenticated.class);
        users.become(state);
        chain.revokeAll(naming.id(), clock.instant());
        users.become(State.ACTIVE);
        assertThat(login("Ada", device)).isInstanceOf(Challenged.class);
        assertThat(devices.list(naming.id())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void enrolment_countsForEachSpelling_andForNoOtherAccount(Naming naming, State state) {
        Users users = users(naming);
        users.become(state);
        enrol(naming.id());
        users.become(State.ACTIVE);
        for (String typed : naming.spellings()) {
            assertThat(login(typed)).as(typed).isInstanceOf(Challenged.class);
        }
        if (naming == Naming.TWINS) {
            assertThat(login("ada")).isInstanceOf(Authenticated.class);
        }
    }

    /** The sources then answer alike about both names. */
    @ParameterizedTest
    @EnumSource
    void twinThatIsDisabledToo_keepsItsCodesAndDevices(State state) {
        Users users = users(Naming.TWINS);
        RequestContext device = NOWHERE.withHeader(RememberedDevices.HEADER, deviceOf(enrol("Ada")));
        enrol("ada");
        users.become(state);
        users.disabled.add("ada");
        chain.revokeAll("ada", clock.instant());
        assertThat(codes.remove("ada")).isTrue();
        users.become(State.ACTIVE);
        assertThat(login("Ada")).isInstanceOf(Challenged.class);
        assertThat(login("Ada", device)).isInstanceOf(Authenticated.class);
        enrol("ada");
        users.become(state);
        users.disabled.add("ada");
        assertThat(codes.remove("Ada")).isTrue();
        users.become(State.ACTIVE);
        assertThat(login("ada")).isInstanceOf(Challenged.class);
    }

    /** A service returns one name for all spellings from now on, or moves to a database with another collation. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PREFIX")
    void storeThatNamesItsAccountsAnew_losesNoEnrolment(Naming before) {
        Users users = users(before);
        users.hashes.remove("ada");
        enrol("Ada");
        for (Naming next : Naming.values()) {
            users.naming = next;
            assertThat(login("Ada")).as(next.name()).isInstanceOf(Challenged.class);
        }
    }
}
