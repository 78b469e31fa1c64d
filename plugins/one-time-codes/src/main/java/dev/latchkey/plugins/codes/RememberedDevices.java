package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
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
 * Devices whose next logins are asked for no code: the password is still theirs to show, and it alone is what such a login has proved.
 *
 * <p>A device is given a token, which is sealed with the account's secret for one account, the plugin that decided its password, that password's
 * stamp, and a time. So a changed password, another enrolment, another account or a longer time make another seal, and nobody who reads or
 * writes the table can make one. What can be revoked has to be remembered: the account's row names its devices, {@value #MOST} at most, of
 * which the oldest makes room. A token that the row does not name is good for nothing. A use is not counted and prolongs nothing.
 *
 * <p>An account without a stamp has no devices, since nobody would notice that its password was changed. Immutable, and safe for use by any
 * number of threads.
 */
public final class RememberedDevices {

    /** The header field in which a device shows its token. */
    public static final String HEADER = "Latchkey-Device";

    static final int MOST = 10;

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    private final CodeRows rows;
    private final Duration lifetime;

    private RememberedDevices(CodeRows rows, Duration lifetime) {
        this.rows = rows;
        this.lifetime = lifetime;
    }

    /**
     * Devices of accounts that have enrolled here.
     *
     * @param codes say who has enrolled, and keep the devices
     * @param lifetime for how long a device is remembered; a minute to 365 days, in whole seconds
     * @return devices for one plugin
     * @throws IllegalArgumentException if it is not
     */
    public static RememberedDevices of(OneTimeCodes codes, Duration lifetime) {
        if (lifetime.compareTo(SHORTEST) < 0 || lifetime.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A device is remembered for a minute to " + LONGEST.toDays() + " days, not for " + lifetime);
        }
        return new RememberedDevices(codes.rows(), lifetime.truncatedTo(ChronoUnit.SECONDS));
    }

    /**
     * Remembers the device that this login came from.
     *
     * @param login which has shown a code
     * @return empty where the account has not enrolled, has no stamp, or has an id of more than 204 bytes
     * @throws AuthUnavailableException if it could not be recorded
     */
    Optional<RememberedDevice> remember(Authenticated login, RequestContext context) {
        Optional<Secret> stamp = stampOf(login);
        if (stamp.isEmpty() || !DeviceToken.canName(login.subject().id())) {
            return Optional.empty();
        }
        Instant now = rows.now().truncatedTo(ChronoUnit.SECONDS);
        KnownDevice device = new KnownDevice(randomId(), KnownDevice.nameOf(context), now, now.plus(lifetime));
        String account = login.subject().id();
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            if (before.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            byte[] seal = sealOf(device, before.get(), login, stamp.get());
            return write(before.get(), with(device, before.get()))
                    ? Optional.of(Optional.of(new RememberedDevice(
                            DeviceToken.of(device.id(), seal, account).text(), lifetime)))
                    : Optional.empty();
        });
    }

    /**
     * Whether this login comes from a device that need not show a code.
     *
     * @throws AuthUnavailableException if that could not be found out
     */
    boolean knows(Authenticated login, RequestContext context) {
        List<String> shown = context.headers().values(HEADER);
        Optional<DeviceToken> token = (shown.size() == 1
                        ? DeviceToken.parse(shown.get(0))
                        : Optional.<DeviceToken>empty())
                .filter(device -> device.owner().equals(login.subject().id()));
        Optional<Secret> stamp = stampOf(login);
        if (token.isEmpty() || stamp.isEmpty()) {
            return false;
        }
        Optional<AccountCodes> codes = rows.enrolled(login.subject().id());
        return codes.isPresent()
                && goodOnes(codes.get())
                        .filter(device -> device.id().equals(token.get().id()))
                        .anyMatch(device -> token.get().hasSeal(sealOf(device, codes.get(), login, stamp.get())));
    }

    /**
     * The devices of this account, the newest first; also such as a changed password has ended.
     *
     * @param account the subject's id
     * @return without those whose time is over
     * @throws AuthUnavailableException if they could not be looked up
     */
    public List<KnownDevice> list(String account) {
        return rows.enrolled(account)
                .map(codes -> goodOnes(codes)
                        .sorted(Comparator.comparing(KnownDevice::since).reversed())
                        .toList())
                .orElse(List.of());
    }

    /**
     * Has this device show a code at its next login. Who asks need not be more than logged in: it takes nothing away but a comfort.
     *
     * @param account the subject's id
     * @param id as {@link #list} has it
     * @return whether there was such a device of this account
     * @throws AuthUnavailableException if it could not be recorded
     */
    public boolean forget(String account, String id) {
        Objects.requireNonNull(id, "id");
        return forgetThose(account, device -> device.id().equals(id));
    }

    /**
     * Has all devices of this account show a code at their next login.
     *
     * @param account the subject's id
     * @return whether there were any
     * @throws AuthUnavailableException if it could not be recorded
     */
    public boolean forgetAll(String account) {
        return forgetThose(account, device -> true);
    }

    /** Whether this token was good for anything: nobody but its owner and who is shown {@link #list} knows its id, 128 random bits. */
    boolean revoke(DeviceToken token) {
        return forget(token.owner(), token.id());
    }

    /** Those that were remembered before that time, or in its second. */
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

    /** Those that are good and the new one, which is the last; the oldest makes room. */
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

    /** Of all that must not be another one: the device with its time, the account, who decided its password, and that password. */
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
