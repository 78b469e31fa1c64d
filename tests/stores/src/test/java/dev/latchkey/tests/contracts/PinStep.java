package dev.latchkey.tests.contracts;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A PIN, and devices without a PIN. The class keeps the whole contract; a broken plugin overrides a method. */
class PinStep implements LoginStep {

    static final Map<String, String> PINS = Map.of("ada", "271828", "grace", "314159");

    final Map<String, String> devices = new ConcurrentHashMap<>();
    private volatile boolean closed;

    @Override
    public String name() {
        return "pin";
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        requireOpen();
        return PINS.containsKey(login.subject().id()) ? Optional.of(Challenged.by(login, "pin")) : Optional.empty();
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        requireOpen();
        String account = accountOf(response.challenge());
        boolean isRight = response.code()
                .map(code -> code.withText(text -> matches(account, text.toString())))
                .orElse(false);
        return isRight ? Passed.step() : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    String accountOf(Challenged challenge) {
        return challenge.soFar().subject().id();
    }

    boolean matches(String account, String given) {
        return given.equals(PINS.get(account));
    }

    @Override
    public boolean knowsDevice(Authenticated login, RequestContext context) {
        List<String> tokens = context.header("X-Device");
        return !closed && tokens.size() == 1 && login.subject().id().equals(devices.get(tokens.get(0)));
    }

    @Override
    public Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        String token = UUID.randomUUID().toString();
        devices.put(token, login.subject().id());
        return Optional.of(new RememberedDevice(Secret.of(token), Duration.ofDays(30)));
    }

    private void requireOpen() {
        if (closed) {
            throw AuthUnavailableException.outage("The plugin is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
