package dev.latchkey.plugins.codes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One-time codes together with a PIN of another plugin, of the source of the password, and with a remembered device. */
class StepPairsTest {

    /** The accounts that the PIN is asked of, and the time. */
    enum Pin {
        OF_A_STEP_BEFORE_THE_CODE,
        OF_A_STEP_AFTER_THE_CODE,
        OF_THE_SOURCE
    }

    /** What a caller sends; then whether a login is complete, and whether the fresh proof for something lasting is. */
    private enum Row {
        BOTH_RIGHT("right", "right", false, true, true),
        PIN_WRONG("wrong", "right", false, false, false),
        PIN_MISSING("", "right", false, false, false),
        CODE_WRONG("right", "wrong", false, false, false),
        CODE_MISSING("right", "", false, false, false),
        NEITHER("", "", false, false, false),
        DEVICE_IN_PLACE_OF_THE_CODE("right", "", true, true, false),
        DEVICE_IN_PLACE_OF_THE_PIN("", "right", true, false, false),
        DEVICE_IN_PLACE_OF_BOTH("", "", true, false, false),
        DEVICE_AND_BOTH_RIGHT("right", "right", true, true, true),
        DEVICE_AND_CODE_WRONG("right", "wrong", true, true, false);

        private final String pin;
        private final String code;
        private final boolean fromDevice;
        private final boolean logsIn;
        private final boolean isProved;

        Row(String pin, String code, boolean fromDevice, boolean logsIn, boolean isProved) {
            this.pin = pin;
            this.code = code;
            this.fromDevice = fromDevice;
            this.logsIn = logsIn;
            this.isProved = isProved;
        }
    }

    private static final PasswordCredentials ADA = new PasswordCredentials("ada", Secret.of("right"));

    private final SetClock clock = new SetClock();
    private final OneTimeCodes codes = OneTimeCodes.of(
                    new InMemoryCodeStore(), SecretKeys.of(Secret.of(new byte[32])), "Example")
            .withClock(clock);
    private final RememberedDevices devices = RememberedDevices.of(codes, Duration.ofDays(30));
    private final OneTimeCodesPlugin plugin = new OneTimeCodesPlugin(codes).rememberingDevices(devices);
    private final StampedAccounts accounts = new StampedAccounts("users");
    private final Phone phone = enrol();

    /** Asks for a PIN itself, once the password was right. */
    private record Vault(StampedAccounts accounts) implements LoginSource<PasswordCredentials>, LoginStep {

        @Override
        public String name() {
            return accounts.name();
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
        public Decision authenticate(PasswordCredentials credentials, RequestContext context) {
            return accounts.authenticate(credentials, context) instanceof Authenticated login
                    ? Challenged.by(login, "pin")
                    : Decision.abstained();
        }

        /** The PIN comes before all steps, so none is wanted here. */
        @Override
        public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
            return Optional.empty();
        }

        @Override
        public StepResult answer(ChallengeResponse response, RequestContext context) {
            return PinStep.answer(response);
        }
    }

    private AuthChain chainWith(Pin pin) {
        List<AuthPlugin> plugins = switch (pin) {
            case OF_A_STEP_BEFORE_THE_CODE -> List.of(accounts, new PinStep(), plugin);
            case OF_A_STEP_AFTER_THE_CODE -> List.of(accounts, plugin, new PinStep());
            case OF_THE_SOURCE -> List.of(new Vault(accounts), plugin);
        };
        return AuthChain.of(plugins, clock);
    }

    private Phone enrol() {
        Phone enrolled = Phone.of(codes.begin("ada").orElseThrow(), clock);
        assertThat(codes.confirm("ada", enrolled.secretCode())).isPresent();
        clock.move(CodeSecret.STEP);
        return enrolled;
    }

    private Map<String, Secret> fieldsOf(Row row) {
        String code = row.code.equals("right") ? phone.code() : phone.wrongCode();
        Map<String, Secret> fields = new HashMap<>();
        if (!row.pin.isEmpty()) {
            fields.put("pin", Secret.of(row.pin.equals("right") ? PinStep.RIGHT : "1357"));
        }
        if (!row.code.isEmpty()) {
            fields.put(ChallengeResponse.CODE, Secret.of(code));
        }
        return fields;
    }

    private RequestContext contextOf(Row row) {
        if (!row.fromDevice) {
            return RequestContext.none();
        }
        Authenticated before =
                (Authenticated) AuthChain.of(List.of(accounts), clock).authenticate(ADA);
        RememberedDevice device =
                devices.remember(before, RequestContext.none()).orElseThrow();
        return RequestContext.none()
                .withHeader(RememberedDevices.HEADER, device.token().withText(CharSequence::toString));
    }

    /** Answers each challenge with the row's value for the method. */
    private Verdict logIn(AuthChain chain, Row row, List<String> asked) {
        Map<String, Secret> all = fieldsOf(row);
        RequestContext context = contextOf(row);
        Verdict verdict = chain.authenticate(ADA, context);
        while (verdict instanceof Challenged challenge) {
            asked.add(challenge.method());
            String field = challenge.method().equals("pin") ? "pin" : ChallengeResponse.CODE;
            Map<String, Secret> sent = all.containsKey(field) ? Map.of(field, all.get(field)) : Map.of();
            verdict = chain.authenticate(new ChallengeResponse(challenge, sent), context);
        }
        return verdict;
    }

    @ParameterizedTest
    @EnumSource
    void loginIsComplete_onlyWhereEachStepIsPassed(Pin pin) {
        for (Row row : Row.values()) {
            Verdict verdict = logIn(chainWith(pin), row, new ArrayList<>());
            assertThat(verdict instanceof Authenticated).as("%s %s", pin, row).isEqualTo(row.logsIn);
            clock.move(CodeSecret.STEP);
        }
    }

    /** An API key or a new phone outlasts the device. */
    @ParameterizedTest
    @EnumSource
    void freshProof_wantsEachStep_whateverDeviceItComesFrom(Pin pin) {
        for (Row row : Row.values()) {
            Verdict verdict = chainWith(pin).prove(ADA, fieldsOf(row), contextOf(row), added -> {});
            assertThat(verdict instanceof Authenticated).as("%s %s", pin, row).isEqualTo(row.isProved);
            clock.move(CodeSecret.STEP);
        }
    }

    @ParameterizedTest
    @EnumSource
    void loginOfBothSteps_hasWhatPasswordPinAndCodeSay(Pin pin) {
        List<String> asked = new ArrayList<>();
        Authenticated login = (Authenticated) logIn(chainWith(pin), Row.BOTH_RIGHT, asked);
        assertThat(asked).as("each once").containsExactlyInAnyOrder("pin", "otp");
        assertThat(login.factors().methods()).isEqualTo(Set.of("pwd", "pin", "hwk", "otp"));
        assertThat(login.subject().authorities()).containsExactly("ROLE_VAULT");
        assertThat(login.subject().claims()).isEqualTo(Map.of("branch", "Berlin"));
        assertThat(login.plugin()).isEqualTo("users");
        assertThat(login.stamp()).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void loginFromARememberedDevice_hasNoFactorOfTheCode(Pin pin) {
        List<String> asked = new ArrayList<>();
        Authenticated login = (Authenticated) logIn(chainWith(pin), Row.DEVICE_IN_PLACE_OF_THE_CODE, asked);
        assertThat(asked).containsExactly("pin");
        assertThat(login.factors().methods()).isEqualTo(Set.of("pwd", "pin", "hwk"));
    }

    /** A new phone lets the owner in for good, so the PIN is necessary too. */
    @ParameterizedTest
    @EnumSource
    void anotherPhone_isEnrolled_withPinAndCode_andNotWithOneOfThem(Pin pin) {
        OwnCodes own = new OwnCodes(chainWith(pin), codes);
        for (Row row : Row.values()) {
            assertThat(own.begin("ada", ADA, fieldsOf(row), contextOf(row)).isPresent())
                    .as("%s %s", pin, row)
                    .isEqualTo(row.isProved);
            clock.move(CodeSecret.STEP);
        }
        assertThat(own.disable("ada", ADA, fieldsOf(Row.PIN_MISSING), RequestContext.none()))
                .isFalse();
        clock.move(CodeSecret.STEP);
        assertThat(own.disable("ada", ADA, fieldsOf(Row.BOTH_RIGHT), RequestContext.none()))
                .isTrue();
    }

    @Test
    void accountWithoutCodes_isAskedForThePinAlone() {
        codes.remove("ada");
        List<String> asked = new ArrayList<>();
        Authenticated login = (Authenticated) logIn(chainWith(Pin.OF_THE_SOURCE), Row.CODE_MISSING, asked);
        assertThat(asked).containsExactly("pin");
        assertThat(login.factors().methods()).isEqualTo(Set.of("pwd", "pin", "hwk"));
    }
}
