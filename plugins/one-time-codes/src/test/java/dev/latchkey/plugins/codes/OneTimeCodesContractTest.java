package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.contract.LoginStepContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

class OneTimeCodesContractTest extends LoginStepContract {

    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final OneTimeCodes codes =
            OneTimeCodes.of(new InMemoryCodeStore(), KEYS, "Example").withClock(clock);
    private final Map<String, Phone> phones = new HashMap<>(Map.of("ada", enrol("ada"), "bob", enrol("bob")));

    private Phone enrol(String account) {
        Phone phone = Phone.of(codes.begin(account).orElseThrow(), clock);
        assertThat(codes.confirm(account, phone.secretCode())).isPresent();
        return phone;
    }

    @Override
    protected OneTimeCodesPlugin newPlugin() {
        return new OneTimeCodesPlugin(codes).rememberingDevices(RememberedDevices.of(codes, Duration.ofDays(30)));
    }

    @Override
    protected Optional<OneTimeCodesPlugin> newPluginInOutage() {
        return Optional.of(new OneTimeCodesPlugin(OneTimeCodes.of(new FakeStores.Down(), KEYS, "Example")));
    }

    private static Authenticated loginOf(String account) {
        return Authenticated.as(Subject.of(account).withAuthorities("ROLE_USER"))
                .withStamp(Secret.of("the stored hash of " + account))
                .decidedBy("users");
    }

    @Override
    protected Authenticated login() {
        return loginOf("ada");
    }

    @Override
    protected Authenticated otherLogin() {
        return loginOf("bob");
    }

    @Override
    protected Optional<Authenticated> loginWithoutStep() {
        return Optional.of(loginOf("carol"));
    }

    /** Each code is right once, so that the next response has the next code. */
    @Override
    protected Map<String, Secret> rightResponse(Challenged challenge) {
        clock.move(CodeSecret.STEP);
        String account = challenge.soFar().subject().id();
        return Map.of(ChallengeResponse.CODE, phones.get(account).secretCode());
    }

    @Override
    protected Map<String, Secret> wrongResponse(Challenged challenge) {
        String account = challenge.soFar().subject().id();
        return Map.of(ChallengeResponse.CODE, Secret.of(phones.get(account).wrongCode()));
    }

    /** Recovery codes are typed from paper. */
    @Override
    protected boolean responsesAreExact() {
        return false;
    }

    @Override
    protected Optional<RequestContext> requestFromDevice(Secret token) {
        return Optional.of(
                token.withText(text -> RequestContext.none().withHeader(RememberedDevices.HEADER, text.toString())));
    }

    @Override
    protected InstantSource clock() {
        return clock;
    }
}
