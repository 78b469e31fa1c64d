package dev.latchkey.examples.apikey;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.factory.PluginConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The file of keys. A new time of modification, a new size or a new file causes a new reading.
 *
 * <p>A malformed file is logged once, and the last good keys stay in force: a slip of an editor must not lock all callers out.
 * A deleted or unreadable file is an outage. An operator deletes the file to withdraw all keys at once, so remembered keys must
 * not outlive the file. An answer of "wrong key" would make clients throw good keys away.
 *
 * <p>Safe for use by any number of threads. Each request reads the attributes of the file; a single thread reads the content.
 */
final class ApiKeyFile {

    static final int MAX_BYTES = 1 << 20;

    private static final Logger LOG = System.getLogger(ApiKeyFile.class.getName());

    /** The attributes that differ after the file was written or replaced. */
    private record Version(
            FileTime modified, long size, @Nullable Object key) {}

    private record Reading(Version version, ApiKeys keys) {}

    private final Path file;
    private final Object refreshing = new Object();
    private volatile Reading reading;

    private ApiKeyFile(Path file, Reading reading) {
        this.file = file;
        this.reading = reading;
    }

    /**
     * Reads the file for the first time.
     *
     * @throws PluginConfigException if the file is missing, unreadable, too large or malformed
     */
    static ApiKeyFile open(Path file) {
        try {
            Version version = versionOf(file);
            return new ApiKeyFile(file, new Reading(version, read(file)));
        } catch (IOException e) {
            throw new PluginConfigException("The file of API keys that the setting file names cannot be read", e);
        } catch (MalformedKeysException e) {
            throw new PluginConfigException(
                    "The file of API keys that the setting file names is malformed: " + e.getMessage(), e);
        }
    }

    /**
     * The keys in force now.
     *
     * @throws AuthUnavailableException if the file is gone or cannot be read
     */
    ApiKeys keys() {
        try {
            Version now = versionOf(file);
            return now.equals(reading.version()) ? reading.keys() : refreshed();
        } catch (IOException e) {
            throw AuthUnavailableException.outage("The file of API keys cannot be read any more: " + file, e);
        }
    }

    private ApiKeys refreshed() throws IOException {
        synchronized (refreshing) {
            // Another thread may have read the file in the meantime. The version is taken before the content: a
            // file written during the reading is read again at the next request.
            Version now = versionOf(file);
            if (!now.equals(reading.version())) {
                reading = new Reading(now, newOrOld());
            }
            return reading.keys();
        }
    }

    private ApiKeys newOrOld() throws IOException {
        try {
            return read(file);
        } catch (MalformedKeysException e) {
            LOG.log(
                    Level.ERROR,
                    "The changed file of API keys is malformed, so the keys from before stay in force: {0}, {1}",
                    file,
                    e.getMessage());
            return reading.keys();
        }
    }

    private static ApiKeys read(Path file) throws IOException, MalformedKeysException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new MalformedKeysException("it has more than " + MAX_BYTES + " bytes");
        }
        try {
            // new String(bytes, UTF_8) would replace malformed bytes without an error.
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return ApiKeys.parse(text.lines().toList());
        } catch (CharacterCodingException e) {
            throw new MalformedKeysException("it is not UTF-8");
        }
    }

    private static Version versionOf(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new IOException("No regular file: " + file);
        }
        return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
}
