package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.LoginStepContract;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract holds for codes of an app. Each right response is the code of a later time, since a code is good once. */
class OneTimeCodesPluginTest extends LoginStepContract {

    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final OneTimeCodes codes =
            OneTimeCodes.of(new InMemoryCodeStore(), KEYS, "Example").withClock(clock);
    private final Map<String, Phone> phones = Map.of("ada", enrolled("ada"), "grace", enrolled("grace"));

    private Phone enrolled(String account) {
        Phone phone = Phone.of(codes.begin(account).orElseThrow(), clock);
        codes.confirm(account, phone.secretCode()).orElseThrow();
        return phone;
    }

    @Override
    protected OneTimeCodesPlugin newPlugin() {
        return new OneTimeCodesPlugin(codes);
    }

    @Override
    protected Optional<OneTimeCodesPlugin> newPluginInOutage() {
        return Optional.of(new OneTimeCodesPlugin(OneTimeCodes.of(new FakeStores.Down(), KEYS, "Example")));
    }

    @Override
    protected Authenticated login() {
        return login("ada");
    }

    @Override
    protected Authenticated otherLogin() {
        return login("grace");
    }

    @Override
    protected Optional<Authenticated> loginWithoutStep() {
        return Optional.of(login("carol"));
    }

    @Override
    protected Map<String, Secret> rightResponse(Challenged challenge) {
        clock.move(CodeSecret.STEP);
        return Map.of("code", phones.get(challenge.soFar().subject().id()).secretCode());
    }

    @Override
    protected Map<String, Secret> wrongResponse(Challenged challenge) {
        return Map.of(
                "code", Secret.of(phones.get(challenge.soFar().subject().id()).wrongCode()));
    }

    /** Blanks between the digits are ignored. */
    @Override
    protected boolean responsesAreExact() {
        return false;
    }

    @Override
    protected InstantSource clock() {
        return clock;
    }

    private static Authenticated login(String account) {
        return Authenticated.as(Subject.of(account).withAuthorities("ROLE_USER"));
    }

    @Test
    void accountThatHasEnrolled_isAsked_andNoOther() {
        OneTimeCodesPlugin plugin = newPlugin();
        codes.begin("bob");
        assertThat(plugin.wanted(login("ada"), RequestContext.none()))
                .hasValueSatisfying(step -> assertThat(step.method()).isEqualTo("otp"));
        for (String account : List.of("bob", "carol")) {
            assertThat(plugin.wanted(login(account), RequestContext.none()))
                    .as(account)
                    .isEmpty();
        }
    }
}
