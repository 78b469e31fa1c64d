package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Logins as in a service: known pairs first, then the limits, the found account, and the password. */
public record Attempts(LoginLimits limits) {

    /** What a service knows of an account. */
    record Account(String hash, String password) {

        static final Account ANN = new Account("{bcrypt}$2a$10$.a.salt.and.a.hash.of.ann", "right");
    }

    CompletableFuture<Admission> reserve(String name, ClientSource source, @Nullable String password) {
        Reservation known = limits.reserveKnown(name, source);
        return known == null
                ? limits.reserve(new LoginAttempt(name, source), password)
                : CompletableFuture.completedFuture(new Admission.Admitted(known));
    }

    /** A login to Ann's account with this password, under any name; null after an admission, for every later result. */
    @Nullable
    LoginLimit refusal(String name, ClientSource source, String password) {
        return refusal(name, source, password, Account.ANN);
    }

    /** The same, of another account; of none where that is null. */
    @Nullable
    LoginLimit refusal(String name, ClientSource source, String password, @Nullable Account account) {
        Admission admission = reserve(name, source, password).join();
        if (admission instanceof Admission.Refused refused) {
            return refused.limit();
        }
        Reservation login = admission.orThrow();
        if (account != null && login.found(account.hash()).join() instanceof Admission.Refused refused) {
            login.settle(AttemptResult.NOT_ATTEMPTED, password);
            return refused.limit();
        }
        boolean right = account != null && account.password().equals(password);
        login.settle(right ? AttemptResult.SUCCEEDED : AttemptResult.FAILED, password);
        return null;
    }

    public boolean admits(String name, ClientSource source, String password) {
        return refusal(name, source, password) == null;
    }

    /** The number of compared passwords, each with the number of the attempt at the end. */
    public int guesses(int attempts, String name, ClientSource source) {
        int admitted = 0;
        for (int i = 0; i < attempts; i++) {
            admitted += admits(name, source, "wrong" + i) ? 1 : 0;
        }
        return admitted;
    }

    public static ClientSource address(String text) {
        return ClientSource.of(text).orElseThrow();
    }

    /** One of many unrelated addresses. */
    public static ClientSource address(int number) {
        return address("198.18." + number / 250 + "." + number % 250);
    }
}
