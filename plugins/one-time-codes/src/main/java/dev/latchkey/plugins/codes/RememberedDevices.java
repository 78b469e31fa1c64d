package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.RememberedDevice;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Remembered devices, whose next logins need no code. Such a login has proved the password alone.
 *
 * <p>A device gets a token with a seal: an HMAC with the account's secret. The HMAC covers the account, the plugin of the
 * password, the password's stamp, and the device with its time. A changed password, another enrolment, another account or
 * a longer time needs another seal. Access to the table is not enough to make a seal. For revocation, the account's row
 * lists at most {@value #MOST} devices; the newest replaces the oldest. A token without an entry in the row is invalid.
 * Uses are not counted and extend nothing.
 *
 * <p>An account without a stamp has no devices, because a change of its password would go unnoticed. Immutable, and
 * safe for use by any number of threads.
 */
public final class RememberedDevices {

    /** The header field for a device's token. */
    public static final String HEADER = "Latchkey-Device";

    static final int MOST = 10;

    static final Duration LONGEST = Duration.ofDays(365);
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private final CodeRows rows;
    private final Duration lifetime;

    private RememberedDevices(CodeRows rows, Duration lifetime) {
        this.rows = rows;
        this.lifetime = lifetime;
    }

    /**
     * Devices of accounts in these codes.
     *
     * @param codes know the enrolled accounts, and store the devices
     * @param lifetime of a remembered device; a minute to 365 days, in whole seconds
     * @return devices for a plugin
     * @throws IllegalArgumentException if the lifetime is outside the range
     */
    public static RememberedDevices of(OneTimeCodes codes, Duration lifetime) {
        if (lifetime.compareTo(SHORTEST) < 0 || lifetime.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A device is remembered for a minute to " + LONGEST.toDays() + " days, not for " + lifetime);
        }
        return new RememberedDevices(codes.rows(), lifetime.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Remembers the device of this login.
     *
     * @param login a login with a code
     * @return the token, with the time that is left after the login. Empty if no second is left, or if the account has not
     *     enrolled, has no stamp, or has an id longer than 204 bytes
     * @throws AuthUnavailableException if the store did not answer
     */
    Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        Optional<Secret> stamp = stampOf(login);
        if (stamp.isEmpty()) {
            return Optional.empty();
        }
        Instant now = rows.now();
        Instant since = sinceOf(login, now).truncatedTo(ChronoUnit.SECONDS);
        KnownDevice device = new KnownDevice(randomId(), KnownDevice.nameOf(context), since, since.plus(lifetime));
        Duration left = Duration.between(now.truncatedTo(ChronoUnit.SECONDS), device.until());
        if (left.isNegative() || left.isZero()) {
            return Optional.empty();
        }
        String account = login.subject().id();
        if (!DeviceToken.canName(account)) {
            return Optional.empty();
        }
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            if (before.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            byte[] seal = sealOf(device, before.get(), login, stamp.get());
            return write(before.get(), with(device, before.get()))
                    ? Optional.of(Optional.of(new RememberedDevice(
                            DeviceToken.of(device.id(), seal, account).text(), left)))
                    : Optional.empty();
        });
    }

    /** The start of the login, so that a revocation during the login ends the device too. */
    private static Instant sinceOf(Authenticated login, Instant now) {
        Factors factors = login.factors();
        return factors.methods().isEmpty() || factors.at().isAfter(now) ? now : factors.at();
    }

    /**
     * Whether this login comes from a remembered device.
     *
     * @throws AuthUnavailableException if the store did not answer
     */
    boolean knows(Authenticated login, RequestContext context) {
        List<String> shown = context.header(HEADER);
        Optional<DeviceToken> token = shown.size() == 1 ? DeviceToken.parse(shown.get(0)) : Optional.empty();
        Optional<Secret> stamp = stampOf(login);
        if (token.isEmpty() || stamp.isEmpty()) {
            return false;
        }
        String account = login.subject().id();
        Optional<AccountCodes> codes = rows.enrolled(account);
        return codes.isPresent()
                && token.get().owner().equals(account)
                && goodOnes(codes.get())
                        .filter(device -> device.id().equals(token.get().id()))
                        .anyMatch(device -> token.get().hasSeal(sealOf(device, codes.get(), login, stamp.get())));
    }

    /**
     * The devices of this account, newest first, including devices ended by a change of the password.
     *
     * @param account the subject's id
     * @return without expired devices
     * @throws AuthUnavailableException if the store did not answer
     */
    public List<KnownDevice> list(String account) {
        return rows.enrolled(account)
                .map(codes -> goodOnes(codes)
                        .sorted(Comparator.comparing(KnownDevice::since).reversed())
                        .toList())
                .orElse(List.of());
    }

    /**
     * Removes a device: its next login needs a code. A session is sufficient for this call, because only a convenience
     * is lost.
     *
     * @param account the subject's id
     * @param id from {@link #list}
     * @return whether the account had this device
     * @throws AuthUnavailableException if the store did not answer
     */
    public boolean forget(String account, String id) {
        Objects.requireNonNull(id, "id");
        return forgetThose(account, device -> device.id().equals(id));
    }

    /**
     * Removes all devices of this account: their next logins need a code.
     *
     * @param account the subject's id
     * @return whether the account had devices
     * @throws AuthUnavailableException if the store did not answer
     */
    public boolean forgetAll(String account) {
        return forgetThose(account, device -> true);
    }

    /**
     * Returns whether the account had this device. The seal is not checked. The id is proof enough: 128 random bits, known
     * only to the owner of the token and to callers of {@link #list}. The caller is unauthenticated, so no source is asked about
     * the account.
     */
    boolean revoke(DeviceToken token) {
        return forgetThose(token.owner(), device -> device.id().equals(token.id()));
    }

    /** Removes devices remembered before this time, or in the same second. */
    boolean forgetBefore(String account, Instant time) {
        return forgetThose(account, device -> !device.since().isAfter(time));
    }

    private boolean forgetThose(String account, Predicate<KnownDevice> isForgotten) {
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            if (before.isEmpty() || devicesOf(before.get()).noneMatch(isForgotten)) {
                return Optional.of(false);
            }
            List<String> left = devicesOf(before.get())
                    .filter(isForgotten.negate())
                    .map(KnownDevice::text)
                    .toList();
            return write(before.get(), left) ? Optional.of(true) : Optional.empty();
        });
    }

    private boolean write(AccountCodes before, List<String> devices) {
        return rows.write(
                before.account(), Optional.of(before.stored()), before.stored().withDevices(devices));
    }

    /** The valid devices, with the new device at the end; without the oldest, if there are too many. */
    private List<String> with(KnownDevice device, AccountCodes before) {
        List<KnownDevice> all =
                Stream.concat(goodOnes(before), Stream.of(device)).toList();
        return all.subList(Math.max(0, all.size() - MOST), all.size()).stream()
                .map(KnownDevice::text)
                .toList();
    }

    private Stream<KnownDevice> goodOnes(AccountCodes codes) {
        return devicesOf(codes).filter(device -> device.isGoodAt(codes.now(), lifetime));
    }

    private static Stream<KnownDevice> devicesOf(AccountCodes codes) {
        return codes.stored().devices().stream().map(KnownDevice::parse).flatMap(Optional::stream);
    }

    /**
     * The sealed facts: the device with its time, the account, the plugin of the password, and the password's stamp.
     */
    private static byte[] sealOf(KnownDevice device, AccountCodes codes, Authenticated login, Secret stamp) {
        return stamp.withBytes(bytes -> codes.secret()
                .deviceSeal(List.of(utf8(device.text()), utf8(codes.account()), utf8(login.plugin()), bytes)));
    }

    private static Optional<Secret> stampOf(Authenticated login) {
        return Optional.ofNullable(login.stamp()).filter(stamp -> stamp.length() > 0);
    }

    private String randomId() {
        byte[] bytes = new byte[DeviceToken.ID_BYTES];
        rows.random().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
