package dev.latchkey.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** All Markdown of the repository written by hand, without the files of other modules' builds. */
final class RepositoryPages {

    static final Path REPOSITORY = Path.of("..");

    private RepositoryPages() {}

    /** Their paths, from the root on. */
    static List<Path> all() throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(REPOSITORY, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean isBuilt =
                        name.equals("target") || name.equals("src") || (name.startsWith(".") && !name.equals(".."));
                return isBuilt ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(REPOSITORY.relativize(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }
}
