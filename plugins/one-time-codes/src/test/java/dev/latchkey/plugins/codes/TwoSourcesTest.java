package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two sources each have an account {@code ada}: codes and devices of one are not the other's. */
class TwoSourcesTest {

    private static final String LOCAL = "ada";
    private static final String REMOTE = "ada@example.org";
    private static final RequestContext NOWHERE = RequestContext.none();

    private final SetClock clock = new SetClock();
    private final OneTimeCodes codes = OneTimeCodes.of(
                    new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example")
            .withClock(clock);
    private final RememberedDevices devices = RememberedDevices.of(codes, Duration.ofDays(30));
    private final AuthChain chain = AuthChain.of(
            List.of(
                    new Accounts("users", LOCAL),
                    new Accounts("directory", REMOTE),
                    new OneTimeCodesPlugin(codes).rememberingDevices(devices)),
            clock);

    /** One account: the subject is {@code ada} for both login names. */
    private record Accounts(String name, String username) implements LoginSource<PasswordCredentials> {

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
            return given.username().equals(username)
                    ? Authenticated.as(Subject.of("ada")).withStamp(Secret.of("stamp"))
                    : Decision.abstained();
        }
    }

    private static PasswordCredentials password(String username) {
        return new PasswordCredentials(username, Secret.of("any"));
    }

    private Verdict login(String username) {
        return chain.authenticate(password(username));
    }

    private Phone enrol(String account, String username) {
        OwnCodes own = new OwnCodes(chain, codes);
        Phone phone = Phone.of(
                own.begin(account, password(username), Map.of(), NOWHERE).orElseThrow(), clock);
        assertThat(own.confirm(account, phone.secretCode(), RequestContext.none()))
                .isPresent();
        clock.move(CodeSecret.STEP);
        return phone;
    }

    @Test
    void enrolmentOfOne_asksNothingOfTheOther() {
        enrol("ada", LOCAL);
        assertThat(login(LOCAL)).isInstanceOf(Challenged.class);
        assertThat(((Authenticated) login(REMOTE)).subject().id()).isEqualTo("directory:ada");
    }

    @Test
    void codeOfOne_isNoCodeOfTheOther() {
        Phone local = enrol("ada", LOCAL);
        enrol("directory:ada", REMOTE);
        Challenged remote = (Challenged) login(REMOTE);
        assertThat(chain.authenticate(new ChallengeResponse(remote, local.secretCode())))
                .isInstanceOf(Rejected.class);
        Challenged own = (Challenged) login(LOCAL);
        assertThat(chain.authenticate(new ChallengeResponse(own, local.secretCode())))
                .isInstanceOf(Authenticated.class);
    }

    @Test
    void passwordOfOne_enrolsNothingForTheOther() {
        OwnCodes own = new OwnCodes(chain, codes);
        assertThat(own.begin("ada", password(REMOTE), Map.of(), NOWHERE)).isEmpty();
        assertThat(own.begin("directory:ada", password(LOCAL), Map.of(), NOWHERE))
                .isEmpty();
    }

    @Test
    void deviceOfOne_isNotKnownOfTheOther_andIsForgottenWithItsOwnAccountAlone() {
        Phone local = enrol("ada", LOCAL);
        enrol("directory:ada", REMOTE);
        Authenticated login = (Authenticated)
                chain.authenticate(new ChallengeResponse((Challenged) login(LOCAL), local.secretCode()));
        String token = chain.decidedLogins()
                .remember(OneTimeCodesPlugin.NAME, login, NOWHERE)
                .orElseThrow()
                .token()
                .withText(CharSequence::toString);
        RequestContext device = NOWHERE.withHeader(RememberedDevices.HEADER, token);
        assertThat(chain.authenticate(password(LOCAL), device)).isInstanceOf(Authenticated.class);
        assertThat(chain.authenticate(password(REMOTE), device)).isInstanceOf(Challenged.class);
        clock.move(CodeSecret.STEP);
        chain.revokeAll("directory:ada", clock.instant());
        assertThat(chain.authenticate(password(LOCAL), device)).isInstanceOf(Authenticated.class);
        chain.revokeAll("ada", clock.instant());
        assertThat(chain.authenticate(password(LOCAL), device)).isInstanceOf(Challenged.class);
    }

    @Test
    void sourcesThatShareTheirSubjects_shareTheirCodes() {
        AuthChain shared = chain.withSharedSubjects(Set.of("users", "directory"));
        Phone local = enrol("ada", LOCAL);
        Challenged remote = (Challenged) shared.authenticate(password(REMOTE));
        assertThat(shared.authenticate(new ChallengeResponse(remote, local.secretCode())))
                .isInstanceOf(Authenticated.class);
    }
}
