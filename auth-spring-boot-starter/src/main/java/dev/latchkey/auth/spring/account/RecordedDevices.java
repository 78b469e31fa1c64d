package dev.latchkey.auth.spring.account;

import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.store.StoredLogin.Device;
import org.jspecify.annotations.Nullable;

/** The recorded data of a device: the data that the service asks for, in a storable form. */
final class RecordedDevices {

    private static final int REPLACEMENT = '?';

    private final @Nullable LoginDevices names;
    private final boolean recordsAddress;

    RecordedDevices(@Nullable LoginDevices names, boolean recordsAddress) {
        this.names = names;
        this.recordsAddress = recordsAddress;
    }

    Device of(RequestContext request) {
        String name = names == null ? null : names.nameOf(request).orElse(null);
        String address = recordsAddress ? request.address().orElse(null) : null;
        return name == null && address == null ? Device.UNKNOWN : new Device(kept(name), kept(address));
    }

    /** A name may come from a header field. A long name is cut, and malformed text is replaced. */
    private static @Nullable String kept(@Nullable String text) {
        if (text == null) {
            return null;
        }
        StringBuilder kept = new StringBuilder();
        text.strip().codePoints().limit(Device.LONGEST).forEach(codePoint -> {
            String next = Character.toString(codePoint);
            int room = Device.LONGEST - kept.length();
            if (next.length() <= room) {
                kept.appendCodePoint(Device.isText(next) ? codePoint : REPLACEMENT);
            }
        });
        return kept.isEmpty() ? null : kept.toString();
    }
}
