package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Secret;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The one-time codes of accounts: enrols them, and checks what they show.
 *
 * <p>An account is asked for codes once its enrolment is confirmed with a first right code. One that is pending asks nobody, is over after
 * {@value AccountCodes#PENDING_MINUTES} minutes or {@value AccountCodes#MOST_FAILURES} wrong codes, and leaves codes that are in use as they are until then.
 *
 * <p>Each code is good once, also where two requests show it at the same time, and where the clock was set back: the step of the last one is
 * stored and only grows. What is known of an account is changed by compare-and-set ({@link CodeStore}); who loses reads and checks again.
 *
 * <p>Counts no wrong codes of logins. A caller that checks codes elsewhere than in a login puts limits before it, as {@link OwnCodes} does.
 * Immutable, and safe for use by any number of threads.
 */
public final class OneTimeCodes {

    static final int RECOVERY_CODES = 10;

    private final CodeRows rows;
    private final String issuer;
    private final CodeAlgorithm algorithm;

    private OneTimeCodes(CodeRows rows, String issuer, CodeAlgorithm algorithm) {
        this.rows = rows;
        this.issuer = issuer;
        this.algorithm = Objects.requireNonNull(algorithm, "algorithm");
    }

    /**
     * Codes of this store.
     *
     * @param store of all nodes, which has no secret that can be read without the keys
     * @param keys encrypt the secrets of accounts
     * @param issuer the service, as an app shows it beside the account: 1 to 64 characters, no colon
     * @return codes that enrol with the algorithm that all apps know
     * @throws IllegalArgumentException if the issuer is none
     */
    public static OneTimeCodes of(CodeStore store, SecretKeys keys, String issuer) {
        if (!ProvisioningUri.isIssuer(issuer)) {
            throw new IllegalArgumentException("An issuer has 1 to " + ProvisioningUri.MOST_SHOWN
                    + " characters, is not blank and has neither colons nor control characters");
        }
        return new OneTimeCodes(new CodeRows(store, keys, InstantSource.system()), issuer, CodeAlgorithm.SHA1);
    }

    /**
     * The same, enrolling with this algorithm; who has enrolled keeps the earlier one.
     *
     * @param algorithm one that the apps of its accounts know
     * @return others; these stay as they are
     */
    public OneTimeCodes withAlgorithm(CodeAlgorithm algorithm) {
        return new OneTimeCodes(rows, issuer, algorithm);
    }

    /**
     * The same, with another source of time.
     *
     * @param clock by which a code is good; apps go by their own
     * @return others; these stay as they are
     */
    public OneTimeCodes withClock(InstantSource clock) {
        return new OneTimeCodes(rows.withClock(clock), issuer, algorithm);
    }

    /**
     * Whether logins of this account are asked for a code.
     *
     * @param account the subject's id
     * @return {@code false} as long as the first enrolment is pending
     * @throws AuthUnavailableException if that could not be found out
     */
    public boolean isEnrolled(String account) {
        return rows.enrolled(account).isPresent();
    }

    /**
     * How many recovery codes this account has left.
     *
     * @param account the subject's id
     * @return zero as well where the account has not enrolled
     */
    public int recoveryCodesLeft(String account) {
        return rows.stored(account).map(stored -> stored.recovery().size()).orElse(0);
    }

    /**
     * Begins an enrolment, in place of one that is pending. The caller knows that it is the account's owner who asks, and by more than a
     * session, which can be stolen.
     *
     * @param account the subject's id, which the app shows beside the issuer
     * @return empty where the account has enrolled already
     */
    public Optional<Enrolment> begin(String account) {
        return begin(account, codes -> !codes.isEnrolled());
    }

    /** As {@link #begin}, whether the account has enrolled or not: the caller has seen a code of an account that has. */
    Optional<Enrolment> beginAnew(String account) {
        return begin(account, codes -> true);
    }

    private Optional<Enrolment> begin(String account, Predicate<AccountCodes> mayBegin) {
        CodeSecret secret = CodeSecret.random(algorithm, rows.random());
        return CodeRows.retried(() -> {
            Optional<StoredCodes> before = rows.stored(account);
            AccountCodes codes = rows.read(account, before.orElseGet(StoredCodes::none));
            if (!mayBegin.test(codes)) {
                return Optional.of(Optional.empty());
            }
            return rows.write(account, before, codes.begunWith(secret))
                    ? Optional.of(Optional.of(new Enrolment(issuer, account, secret)))
                    : Optional.empty();
        });
    }

    /**
     * Ends a pending enrolment with the first code of the new app: from now on logins are asked.
     *
     * @param account the subject's id
     * @param code as the new app shows it
     * @return new recovery codes, to be shown once, in place of all earlier ones; empty where the code is wrong or nothing is pending
     */
    public Optional<List<Secret>> confirm(String account, Secret code) {
        Optional<TypedCode> typed = code.withText(TypedCode::of).filter(shown -> !shown.isRecovery());
        List<TypedCode> recovery = Stream.generate(() -> TypedCode.randomRecovery(rows.random()))
                .limit(RECOVERY_CODES)
                .toList();
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.find(account).filter(AccountCodes::isPending);
            if (before.isEmpty() || typed.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            Optional<StoredCodes> confirmed = before.get().confirmedBy(typed.get(), recovery);
            StoredCodes after = confirmed.orElseGet(before.get()::withFailure);
            return rows.write(account, before.map(AccountCodes::stored), after)
                    ? Optional.of(confirmed.map(done -> shown(recovery)))
                    : Optional.empty();
        });
    }

    private static List<Secret> shown(List<TypedCode> recovery) {
        return recovery.stream().map(each -> Secret.of(each.shown())).toList();
    }

    /**
     * Uses up a code of the app or a recovery code.
     *
     * @param account the subject's id
     * @param code as somebody typed it
     * @return whether it was right; false as well where the account has not enrolled
     * @throws AuthUnavailableException if that could not be found out, or not be recorded
     */
    public boolean use(String account, Secret code) {
        Optional<TypedCode> typed = code.withText(TypedCode::of);
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            Optional<StoredCodes> after = before.flatMap(codes -> typed.flatMap(codes::using));
            if (after.isEmpty()) {
                return Optional.of(false);
            }
            return rows.write(account, before.map(AccountCodes::stored), after.get())
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    /**
     * Removes everything of this account, whose logins are not asked any more: for an administrator who knows whom he does it for, and for
     * an account that is deleted.
     *
     * @param account the subject's id
     * @return whether there was anything
     */
    public boolean remove(String account) {
        return rows.delete(account);
    }

    /**
     * Encrypts the account's secret with the current key, if a former one did; a login does that by itself.
     *
     * @param account the subject's id
     * @return whether it is, or there is none
     */
    public boolean reseal(String account) {
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            if (before.isEmpty() || before.get().isSealedWithTheCurrentKey()) {
                return Optional.of(true);
            }
            return rows.write(
                            account,
                            before.map(AccountCodes::stored),
                            before.get().resealed())
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    CodeRows rows() {
        return rows;
    }
}
