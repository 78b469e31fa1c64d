package dev.latchkey.auth.password;

import dev.latchkey.auth.password.hash.HashFormat;
import dev.latchkey.auth.password.hash.MemoryPermits;
import dev.latchkey.auth.password.hash.ParsedHash;
import dev.latchkey.auth.password.migration.DangerousFormat;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.util.Objects;

/** As {@link Cheap}, reading the formats of other systems too. */
public final class Foreign {

    private Foreign() {}

    public static PasswordEncoders encoders() {
        return Cheap.encoders().reading(ForeignFormats.all());
    }

    /** All formats, the dangerous ones too. */
    public static ForeignFormats allDangerous() {
        ForeignFormats formats = ForeignFormats.all();
        for (DangerousFormat format : DangerousFormat.values()) {
            formats = formats.readingDangerously(format);
        }
        return formats;
    }

    /** The readers of encoders with these formats. */
    public static HashFormat formats(ForeignFormats formats, MemoryPermits permits) {
        return Cheap.encoders().reading(formats).withMemoryPermits(permits).formats();
    }

    /** The parsed row, by the encoders' formats; fails for any other text. */
    public static ParsedHash read(String row) {
        return Objects.requireNonNull(
                formats(allDangerous(), MemoryPermits.quarterOfHeap()).read(row), row);
    }
}
