# An agent: it takes the first option.
while read -r line; do
    case $line in
        '{"hello":'*) echo '{"hello":1,"name":"first 1","pure":true}' ;;
        '{"ask":'*) number=${line#'{"ask":'}; echo "{\"ask\":${number%%,*},\"pick\":0}" ;;
        *) exit ;;
    esac
done
