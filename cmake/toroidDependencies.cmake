# What Toroid links, found on the machine that builds with it. Included by the project and by the installed package.
#
# Threads::Threads  required
# toroid::hana      required  Boost.Hana, headers only
# toroid::inspect   optional  fmt, for <toroid/inspect.hpp>; link it beside toroid::toroid
# toroid::cblas     optional  a CBLAS library, for matrix products on the CPU; link it beside toroid::toroid
#
# toroid_missing says what is required and was not found; it is empty otherwise.

set(toroid_missing)

find_package(Threads REQUIRED GLOBAL)

if(NOT TARGET toroid::hana)
    add_library(toroid::hana INTERFACE IMPORTED GLOBAL)
    if(TARGET Boost::hana)
        target_link_libraries(toroid::hana INTERFACE Boost::hana)
    elseif(TARGET Boost::headers)
        target_link_libraries(toroid::hana INTERFACE Boost::headers)
    else()
        find_path(TOROID_BOOST_INCLUDE_DIR boost/hana.hpp HINTS ${Boost_ROOT} ENV Boost_ROOT PATH_SUFFIXES include)
        mark_as_advanced(TOROID_BOOST_INCLUDE_DIR)
        if(NOT TOROID_BOOST_INCLUDE_DIR)
            set(
                toroid_missing
                "boost/hana.hpp was not found: install the Boost headers (Debian: libboost-dev) or set Boost_ROOT"
            )
        endif()
        target_include_directories(toroid::hana INTERFACE "${TOROID_BOOST_INCLUDE_DIR}")
    endif()
endif()

if(NOT TARGET toroid::inspect)
    if(NOT TARGET fmt::fmt)
        find_package(fmt 9 QUIET GLOBAL)
    endif()
    if(TARGET fmt::fmt)
        add_library(toroid::inspect INTERFACE IMPORTED GLOBAL)
        target_link_libraries(toroid::inspect INTERFACE fmt::fmt)
    endif()
endif()

if(NOT TARGET toroid::cblas)
    find_path(TOROID_CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas)
    find_library(TOROID_CBLAS_LIBRARY NAMES openblas cblas)
    mark_as_advanced(TOROID_CBLAS_INCLUDE_DIR TOROID_CBLAS_LIBRARY)
    if(TOROID_CBLAS_INCLUDE_DIR AND TOROID_CBLAS_LIBRARY)
        add_library(toroid::cblas INTERFACE IMPORTED GLOBAL)
        target_include_directories(toroid::cblas INTERFACE "${TOROID_CBLAS_INCLUDE_DIR}")
        target_link_libraries(toroid::cblas INTERFACE "${TOROID_CBLAS_LIBRARY}")
        target_compile_definitions(toroid::cblas INTERFACE TOROID_WITH_CBLAS=1)
    endif()
endif()
