package dev.latchkey.nacos.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.ChallengeResponse;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.Passed;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.StepResult;
import dev.latchkey.auth.engine.AccountName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Asks accounts in the file for a code after the right password.
 *
 * <p>A node accepts a code once. After a code, the node accepts no code of the account for the same or an earlier period.
 * The clock of the phone may differ by one period. The limits on failed logins count wrong codes. Safe for use by any
 * number of threads.
 */
public final class CodesStep implements LoginStep {

    private static final int PERIODS_AROUND = 1;

    private final String name;
    private final SecretsFile file;
    private final InstantSource clock;
    private final Map<String, Long> lastPeriods = new ConcurrentHashMap<>();
    private volatile boolean closed;

    CodesStep(String name, SecretsFile file, InstantSource clock) {
        this.name = name;
        this.file = file;
        this.clock = clock;
    }

    @Override
    public String name() {
        return name;
    }

    /** Waits only for a small local file. */
    @Override
    public boolean boundsItsCalls() {
        return true;
    }

    @Override
    public Optional<Challenged> wanted(Authenticated login, RequestContext context) {
        return secrets().containsKey(login.subject().id())
                ? Optional.of(Challenged.by(login, Factors.ONE_TIME_CODE))
                : Optional.empty();
    }

    @Override
    public StepResult answer(ChallengeResponse response, RequestContext context) {
        String account = response.challenge().soFar().subject().id();
        byte[] secret = secrets().get(account);
        boolean isRight = secret != null
                && response.code()
                        .filter(code -> code.<Boolean>withText(text -> use(account, secret, text.toString())))
                        .isPresent();
        return isRight ? Passed.step() : Rejected.because(RejectionReason.BAD_CREDENTIALS);
    }

    /**
     * Finds the code at the end of a password, for forms with one field.
     *
     * @param username as typed: the name of an account in any source
     * @param password as typed
     * @param isOfServer whether the server has an own user with this name. Such a user needs a line of its own in the file
     * @return the index of the code's first digit; empty if this account needs no code, or the password does not end with a
     *     code
     */
    public Optional<Integer> codeBehind(String username, String password, Predicate<String> isOfServer) {
        int begin = password.length() - TimedCode.DIGITS;
        Set<String> accounts = secrets().keySet();
        if (begin <= 0 || !password.substring(begin).chars().allMatch(c -> c >= '0' && c <= '9')) {
            return Optional.empty();
        }
        String folded = AccountName.folded(username);
        boolean isEnrolled = accounts.contains(username)
                || (accounts.stream().anyMatch(account -> isOfOtherSource(account, folded))
                        && !isOfServer.test(username));
        return isEnrolled ? Optional.of(begin) : Optional.empty();
    }

    /** Another source may accept several spellings of a name. */
    private static boolean isOfOtherSource(String account, String folded) {
        int colon = account.indexOf(':');
        return colon > 0 && AccountName.folded(account.substring(colon + 1)).equals(folded);
    }

    private boolean use(String account, byte[] secret, String code) {
        long now = TimedCode.periodAt(clock.instant());
        for (long period = now - PERIODS_AROUND; period <= now + PERIODS_AROUND; period++) {
            if (MessageDigest.isEqual(
                    TimedCode.at(secret, period).getBytes(StandardCharsets.US_ASCII),
                    code.getBytes(StandardCharsets.UTF_8))) {
                return isNew(account, period);
            }
        }
        return false;
    }

    private boolean isNew(String account, long period) {
        boolean[] isNew = new boolean[1];
        Long unused = lastPeriods.compute(account, (key, last) -> {
            isNew[0] = last == null || period > last;
            return isNew[0] ? Long.valueOf(period) : last;
        });
        return isNew[0];
    }

    private Map<String, byte[]> secrets() {
        if (closed) {
            throw AuthUnavailableException.outage("The step " + name + " is closed");
        }
        try {
            return file.secrets().byAccount();
        } catch (SecretsFile.UnreadableException e) {
            throw AuthUnavailableException.outage("The file of secrets cannot be read", e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
